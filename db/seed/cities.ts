import { type Name, named } from "./names.ts";

/** A real city: coordinates of its centre, and quarters that give DUs their names. */
export type City = {
  region: Name;
  country: Name;
  province: Name;
  city: Name;
  lat: number;
  lng: number;
  quarters: Name[];
};

const pearlDelta = named("珠三角", "Pearl Delta", "珠江デルタ");
const eastGuangdong = named("粤东", "Yuedong", "粤東");
const yangtze = named("长三角", "Yangtze", "長江デルタ");
const kanto = named("关东", "Kanto", "関東");
const kansai = named("关西", "Kansai", "関西");
const northWest = named("西北英格兰", "North West", "北西部");
const london = named("伦敦", "London", "ロンドン");
const china = named("中国", "China");
const japan = named("日本", "Japan");
const kingdom = named("英国", "United Kingdom", "イギリス");
const guangdong = named("广东", "Guangdong", "広東");
const england = named("英格兰", "England", "イングランド");

/** Regions of the demo with the cities in them. */
export const cities: City[] = [
  {
    region: pearlDelta,
    country: china,
    province: guangdong,
    city: named("深圳", "Shenzhen"),
    lat: 22.5431,
    lng: 114.0579,
    quarters: [
      named("南山", "Nanshan"),
      named("福田", "Futian"),
      named("龙华", "Longhua", "龍華"),
      named("宝安", "Bao'an"),
      named("蛇口", "Shekou"),
      named("罗湖", "Luohu", "羅湖"),
      named("盐田", "Yantian", "塩田"),
    ],
  },
  {
    region: pearlDelta,
    country: china,
    province: guangdong,
    city: named("广州", "Guangzhou", "広州"),
    lat: 23.1291,
    lng: 113.2644,
    quarters: [
      named("琶洲", "Pazhou"),
      named("南沙", "Nansha"),
      named("白云", "Baiyun", "白雲"),
      named("天河", "Tianhe"),
      named("番禺", "Panyu"),
      named("黄埔", "Huangpu"),
    ],
  },
  {
    region: pearlDelta,
    country: china,
    province: guangdong,
    city: named("东莞", "Dongguan", "東莞"),
    lat: 23.0207,
    lng: 113.7518,
    quarters: [named("松山湖", "Songshan Lake"), named("厚街", "Houjie"), named("虎门", "Humen", "虎門"), named("南城", "Nancheng")],
  },
  {
    region: pearlDelta,
    country: china,
    province: guangdong,
    city: named("佛山", "Foshan"),
    lat: 23.0215,
    lng: 113.1214,
    quarters: [named("千灯湖", "Qiandeng Lake"), named("顺德", "Shunde", "順徳"), named("祖庙", "Zumiao", "祖廟")],
  },
  {
    region: pearlDelta,
    country: china,
    province: guangdong,
    city: named("珠海", "Zhuhai"),
    lat: 22.2707,
    lng: 113.5767,
    quarters: [named("横琴", "Hengqin"), named("唐家湾", "Tangjiawan"), named("拱北", "Gongbei")],
  },
  {
    region: eastGuangdong,
    country: china,
    province: guangdong,
    city: named("汕头", "Shantou", "汕頭"),
    lat: 23.3535,
    lng: 116.6822,
    quarters: [named("东海岸", "East Coast", "東海岸"), named("小公园", "Xiaogongyuan", "小公園"), named("澄海", "Chenghai")],
  },
  {
    region: eastGuangdong,
    country: china,
    province: guangdong,
    city: named("揭阳", "Jieyang", "掲陽"),
    lat: 23.5498,
    lng: 116.3728,
    quarters: [named("潮汕机场", "Chaoshan Airport", "潮汕空港"), named("榕城", "Rongcheng")],
  },
  {
    region: eastGuangdong,
    country: china,
    province: guangdong,
    city: named("潮州", "Chaozhou"),
    lat: 23.6567,
    lng: 116.6226,
    quarters: [named("古城", "Old Town"), named("湘桥", "Xiangqiao", "湘橋"), named("枫溪", "Fengxi", "楓渓")],
  },
  {
    region: eastGuangdong,
    country: china,
    province: guangdong,
    city: named("惠州", "Huizhou"),
    lat: 23.1115,
    lng: 114.4152,
    quarters: [named("大亚湾", "Daya Bay", "大亜湾"), named("仲恺", "Zhongkai", "仲愷"), named("惠城", "Huicheng", "恵城")],
  },
  {
    region: yangtze,
    country: china,
    province: named("上海", "Shanghai"),
    city: named("上海", "Shanghai"),
    lat: 31.2304,
    lng: 121.4737,
    quarters: [
      named("张江", "Zhangjiang", "張江"),
      named("陆家嘴", "Lujiazui", "陸家嘴"),
      named("虹桥", "Hongqiao", "虹橋"),
      named("徐家汇", "Xujiahui", "徐家匯"),
      named("临港", "Lingang", "臨港"),
      named("嘉定", "Jiading"),
    ],
  },
  {
    region: yangtze,
    country: china,
    province: named("江苏", "Jiangsu", "江蘇"),
    city: named("苏州", "Suzhou", "蘇州"),
    lat: 31.2989,
    lng: 120.5853,
    quarters: [named("金鸡湖", "Jinji Lake", "金鶏湖"), named("姑苏", "Gusu", "姑蘇"), named("花桥", "Huaqiao", "花橋")],
  },
  {
    region: yangtze,
    country: china,
    province: named("浙江", "Zhejiang"),
    city: named("杭州", "Hangzhou"),
    lat: 30.2741,
    lng: 120.1551,
    quarters: [
      named("未来科技城", "Future Tech City"),
      named("西湖", "West Lake"),
      named("钱江新城", "Qianjiang", "銭江新城"),
      named("萧山机场", "Xiaoshan Airport", "蕭山空港"),
    ],
  },
  {
    region: kanto,
    country: japan,
    province: named("东京都", "Tokyo", "東京都"),
    city: named("东京", "Tokyo", "東京"),
    lat: 35.6812,
    lng: 139.7671,
    quarters: [
      named("丸之内", "Marunouchi", "丸の内"),
      named("新宿", "Shinjuku"),
      named("丰洲", "Toyosu", "豊洲"),
      named("品川", "Shinagawa"),
      named("上野", "Ueno"),
      named("立川", "Tachikawa"),
    ],
  },
  {
    region: kanto,
    country: japan,
    province: named("神奈川县", "Kanagawa", "神奈川県"),
    city: named("横滨", "Yokohama", "横浜"),
    lat: 35.4437,
    lng: 139.638,
    quarters: [
      named("港未来", "Minato Mirai", "みなとみらい"),
      named("新横滨", "Shin-Yokohama", "新横浜"),
      named("关内", "Kannai", "関内"),
    ],
  },
  {
    region: kanto,
    country: japan,
    province: named("千叶县", "Chiba", "千葉県"),
    city: named("千叶", "Chiba", "千葉"),
    lat: 35.6073,
    lng: 140.1063,
    quarters: [named("幕张", "Makuhari", "幕張"), named("苏我", "Soga", "蘇我")],
  },
  {
    region: kansai,
    country: japan,
    province: named("大阪府", "Osaka"),
    city: named("大阪", "Osaka"),
    lat: 34.6937,
    lng: 135.5023,
    quarters: [named("梅田", "Umeda"), named("难波", "Namba", "難波"), named("天王寺", "Tennoji"), named("南港", "Nanko")],
  },
  {
    region: kansai,
    country: japan,
    province: named("京都府", "Kyoto"),
    city: named("京都", "Kyoto"),
    lat: 35.0116,
    lng: 135.7681,
    quarters: [named("四条乌丸", "Shijo Karasuma", "四条烏丸"), named("伏见", "Fushimi", "伏見"), named("岚山", "Arashiyama", "嵐山")],
  },
  {
    region: kansai,
    country: japan,
    province: named("兵库县", "Hyogo", "兵庫県"),
    city: named("神户", "Kobe", "神戸"),
    lat: 34.6901,
    lng: 135.1955,
    quarters: [named("三宫", "Sannomiya", "三宮"), named("六甲", "Rokko")],
  },
  {
    region: northWest,
    country: kingdom,
    province: england,
    city: named("曼彻斯特", "Manchester", "マンチェスター"),
    lat: 53.4808,
    lng: -2.2426,
    quarters: [
      named("索尔福德码头", "Salford Quays", "サルフォード・キーズ"),
      named("皮卡迪利", "Piccadilly", "ピカデリー"),
      named("迪兹伯里", "Didsbury", "ディズベリー"),
      named("机场城", "Airport City", "エアポート・シティ"),
    ],
  },
  {
    region: northWest,
    country: kingdom,
    province: england,
    city: named("利物浦", "Liverpool", "リバプール"),
    lat: 53.4084,
    lng: -2.9916,
    quarters: [
      named("阿尔伯特码头", "Albert Dock", "アルバート・ドック"),
      named("莱姆街", "Lime Street", "ライム・ストリート"),
      named("斯皮克", "Speke", "スピーク"),
    ],
  },
  {
    region: london,
    country: kingdom,
    province: england,
    city: named("伦敦", "London", "ロンドン"),
    lat: 51.5074,
    lng: -0.1278,
    quarters: [
      named("金丝雀码头", "Canary Wharf", "カナリー・ワーフ"),
      named("斯特拉特福", "Stratford", "ストラトフォード"),
      named("帕丁顿", "Paddington", "パディントン"),
      named("克罗伊登", "Croydon", "クロイドン"),
      named("哈克尼", "Hackney", "ハックニー"),
      named("格林尼治", "Greenwich", "グリニッジ"),
    ],
  },
];
