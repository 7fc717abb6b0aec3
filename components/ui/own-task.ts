/** Lets the task of the page that runs end first. What follows is one of its own: long tasks are felt, for the page answers nobody meanwhile. */
export const ownTask = () => new Promise<void>((resolve) => setTimeout(resolve));

/** How long what stands beside a page leaves it and the server to what the page is opened for. */
const asideMs = 100;

/** As `ownTask`, for what is shown beside what the page is opened for: that comes first. */
export const asideTask = () => new Promise<void>((resolve) => setTimeout(resolve, asideMs));
