/** Lets the task of the page that runs end first. What follows is one of its own: long tasks are felt, for the page answers nobody meanwhile. */
export const ownTask = () => new Promise<void>((resolve) => setTimeout(resolve));
