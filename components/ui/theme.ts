"use client";
import { ActionIcon, Button, type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

const blue: MantineColorsTuple = [
  "#eaf3fd",
  "#cfe4fb",
  "#a6cdf8",
  "#7cb8f8",
  "#4c9df3",
  "#2f87e6",
  "#1f6fd0",
  "#1566c4",
  "#0f57aa",
  "#0b4588",
];
// Shade 7 is the page.
const dark: MantineColorsTuple = [
  "#e7e9ec",
  "#a9b0ba",
  "#8a929e",
  "#5a626d",
  "#2a2f36",
  "#1c2025",
  "#15181c",
  "#0b0c0e",
  "#101215",
  "#08090a",
];
const gray: MantineColorsTuple = [
  "#f7f8f9",
  "#f1f3f5",
  "#eceef1",
  "#dde1e6",
  "#c3c9d1",
  "#9aa2ad",
  "#858e9a",
  "#616a76",
  "#4d5561",
  "#16191d",
];
const red: MantineColorsTuple = [
  "#fdecea",
  "#f9cfca",
  "#f5a79f",
  "#ff9a8a",
  "#ff6448",
  "#e25341",
  "#c63b2b",
  "#b3261e",
  "#a0101f",
  "#7d0c18",
];

/** Mantine made to agree with the tokens; components use the tokens themselves. */
export const theme = createTheme({
  colors: { blue, dark, gray, red },
  primaryColor: "blue",
  primaryShade: { light: 7, dark: 6 },
  black: "#16191d",
  fontFamily: "var(--font)",
  fontFamilyMonospace: "var(--mono)",
  cursorType: "default",
  focusRing: "auto",
  respectReducedMotion: true,
  fontSizes: { xs: "11px", sm: "12px", md: "13px", lg: "14px", xl: "16px" },
  lineHeights: { xs: "16px", sm: "18px", md: "20px", lg: "20px", xl: "22px" },
  spacing: { xs: "4px", sm: "8px", md: "12px", lg: "16px", xl: "24px" },
  radius: { xs: "3px", sm: "5px", md: "8px", lg: "8px", xl: "8px" },
  defaultRadius: "sm",
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "20px", lineHeight: "26px" },
      h2: { fontSize: "16px", lineHeight: "22px" },
      h3: { fontSize: "14px", lineHeight: "20px" },
    },
  },
  components: {
    Button: Button.extend({
      defaultProps: { variant: "default" },
      vars: () => ({ root: { "--button-height": "28px", "--button-padding-x": "10px", "--button-fz": "13px" } }),
      styles: { root: { fontWeight: 500 } },
    }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: "subtle", color: "gray" }, vars: () => ({ root: { "--ai-size": "28px" } }) }),
    // Not by `Input.extend`: the theme is on every page, fields are not.
    Input: { vars: () => ({ wrapper: { "--input-height": "32px", "--input-fz": "13px" } }) },
    InputWrapper: { defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: false } },
    // The head of a dialog is no banner of the page.
    Modal: { defaultProps: { yOffset: "12vh", transitionProps: { duration: 140 }, attributes: { header: { role: "none" } } } },
    Drawer: { defaultProps: { transitionProps: { duration: 140 }, attributes: { header: { role: "none" } } } },
    // Beside its button rather than at the end of the page: the menu stays in the landmark it belongs to and holds nothing but its items.
    Menu: {
      defaultProps: {
        transitionProps: { duration: 140 },
        shadow: "none",
        withinPortal: false,
        floatingStrategy: "fixed",
        withInitialFocusPlaceholder: false,
      },
    },
    Popover: { defaultProps: { transitionProps: { duration: 140 }, shadow: "none" } },
    // That nothing was found is an entry of the list that cannot be chosen: a list without entries is none to screen readers.
    ComboboxEmpty: { defaultProps: { role: "option", "aria-disabled": true } },
  },
});

const same = {
  "--mantine-color-body": "var(--bg-base)",
  "--mantine-color-text": "var(--fg-1)",
  "--mantine-color-dimmed": "var(--fg-2)",
  "--mantine-color-placeholder": "var(--fg-3)",
  "--mantine-color-error": "var(--danger)",
  "--mantine-color-anchor": "var(--accent)",
  "--mantine-color-default": "var(--bg-2)",
  "--mantine-color-default-hover": "var(--bg-hover)",
  "--mantine-color-default-color": "var(--fg-1)",
  "--mantine-color-default-border": "var(--line-3)",
  "--mantine-color-disabled": "var(--bg-2)",
  "--mantine-color-disabled-color": "var(--fg-off)",
  "--mantine-color-disabled-border": "var(--line-2)",
};

/** Mantine's named colours as tokens, the same in both skins. */
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, dark: same, light: same });
