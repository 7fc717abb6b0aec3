"use client";
import {
  IconBolt,
  IconBox,
  IconBrain,
  IconCash,
  IconChartBar,
  IconCrane,
  IconFileText,
  IconListCheck,
  IconRoute,
  IconSettings,
  IconTable,
  IconTransferOut,
  type TablerIcon,
} from "@tabler/icons-react";
import type { MenuGroup } from "#lib/screens.ts";

/** One icon for each group of the menu, the same in the command box. */
export const menuIcons: Record<MenuGroup, TablerIcon> = {
  rolloutPlan: IconTable,
  flows: IconRoute,
  planAutomation: IconBolt,
  construction: IconCrane,
  materials: IconBox,
  revenue: IconCash,
  handover: IconTransferOut,
  reports: IconChartBar,
  planning: IconBrain,
  configuration: IconSettings,
  logs: IconFileText,
  tasks: IconListCheck,
};
