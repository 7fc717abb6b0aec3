/** DUs one Gantt shows. */
export const ganttDusMax = 200;
