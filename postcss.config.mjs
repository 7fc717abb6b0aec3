export default {
  plugins: {
    "postcss-preset-mantine": {},
    "postcss-simple-vars": {
      variables: {
        "mantine-breakpoint-xs": "36em",
        "mantine-breakpoint-sm": "56.25em",
        "mantine-breakpoint-md": "80em",
        "mantine-breakpoint-lg": "90em",
      },
    },
  },
};
