/** Width of a pop-over that holds a condition. */
export const menuWidth = 296;
