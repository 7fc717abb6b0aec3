/** Rows a page of a list may have [OPS-05]; 500 only where the project switch page.rows500 is Y [OPS-07]. */
export const pageSizes = [10, 20, 50, 100, 200] as const;
export const pageSizeOnRequest = 500;

/** Sizes a person may choose for the lists of a project. [OPS-07] */
export const offeredSizes = (rows500: boolean): readonly number[] => [...pageSizes.slice(1), ...(rows500 ? [pageSizeOnRequest] : [])];

/** Size at which lists of activities for pickers are read, page 1 only [OPS-06]. */
export const pickerSize = 2000;
