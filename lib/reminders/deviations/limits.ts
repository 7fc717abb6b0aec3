/** Regions and activities one save makes reminders for; one each. */
export const placesMax = 200;
export const remindersPerSave = 1000;
