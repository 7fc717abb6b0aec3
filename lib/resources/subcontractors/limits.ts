/** Letters and digits of a company's code. */
export const companyCodeChars = 5;
export const companyCodeForm = /^[A-Za-z0-9]{1,5}$/;
export const companyNameChars = 200;
export const companyStatuses = ["ACTIVE", "INVALID"] as const;
export type CompanyStatus = (typeof companyStatuses)[number];
/** Countries a company may name. */
export const countriesMax = 50;
/** Kinds a company may be of. */
export const companyTypesMax = 50;
export const companiesPerCall = 200;
export const companySearchChars = 100;
export const typeNameChars = 200;
/** Activities a kind of company may cover. */
export const typeActivitiesMax = 500;
/** Companies a picker is given. */
export const pickedMax = 500;
export const dpaStates = ["none", "valid", "ended"] as const;
export type DpaState = (typeof dpaStates)[number];
