/** Teams, or resource names, a group is tried with before it waits. */
export const GROUP_TRIES = 8;
