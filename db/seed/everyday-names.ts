import { named } from "./names.ts";

/** What the team of the demo project has called things, and what it wrote. */
export const everydayNames = {
  milestones: {
    RFI: named("可安装", "RFI", "設置可"),
    MOS: named("到货", "MOS", "納入"),
    INSTALL: named("安装完成", "Installed", "設置完了"),
    PAC: named("初验", "PAC", "仮検収"),
  },
  temporary: named("频谱许可", "Spectrum licence", "周波数免許"),
  tabs: { region: named("按区域", "By region", "地域別"), subcontractor: named("按分包商", "By subcontractor", "下請別") },
  clusters: [named("东部片区", "Eastern cluster", "東部クラスター"), named("西部片区", "Western cluster", "西部クラスター")],
  versions: { release: named("首次发布", "First release", "初回リリース") },
  message: named("请在五天内反馈", "Please answer within five days", "五日以内にご回答ください"),
  templates: {
    late: named("延期单元", "Late DUs", "遅れている交付単位"),
    soon: named("两周内", "Next two weeks", "二週以内"),
    dates: named("仅日期", "Dates only", "日付のみ"),
  },
  subFlow: named("吊装步骤", "Rigging steps", "吊り上げ手順"),
  steps: [
    named("吊装天线", "Lift antennas", "アンテナ吊り上げ"),
    named("布放线缆", "Run cables", "ケーブル敷設"),
    named("拍照", "Take photos", "写真撮影"),
  ],
  rules: {
    plan: named("到货三天后安装", "Installation 3 days after MOS", "納入三日後に設置"),
    flow: named("新建站自动关联", "New builds by themselves", "新設局の自動割当"),
    owner: named("初验归项目经理", "PAC to the PM", "仮検収は責任者へ"),
    mail: named("安装日期变更", "Installation dates changed", "設置日の変更"),
    warning: named("到货后久未安装", "Long wait after MOS", "納入後に設置が遅い"),
  },
  mapping: named("保留共同活动", "Keep what both have", "共通の活動を残す"),
  reasons: {
    freeze: named("设备已发运", "Equipment is under way", "機器は発送済み"),
    suspend: named("业主暂停施工", "Landlord stopped the work", "貸主が工事を中断"),
    na: named("站点已具备", "The site has it already", "現地に既設"),
    change: named("客户改为替换", "The customer wants a swap instead", "顧客が更改へ変更"),
    slip: named("暴雨延误", "Delayed by storms", "豪雨による遅れ"),
    permit: named("天面租约签署中", "Rooftop lease is being signed", "屋上賃貸を契約中"),
  },
  phases: [named("建设", "Build", "建設"), named("优化", "Optimise", "最適化")],
  siteTypes: {
    dimension: named("场景", "Scene", "シーン"),
    urban: named("城区", "Urban", "都市"),
    dense: named("密集城区", "Dense urban", "密集都市"),
    suburb: named("郊区", "Suburb", "郊外"),
  },
  trade: named("铁塔与线缆", "Towers and cables", "鉄塔とケーブル"),
  relation: named("同杆", "On one pole", "同じポール"),
} as const;
