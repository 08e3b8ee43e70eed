/** The largest request body in bytes. */
export const LARGEST_BODY = 1024 * 1024;
