/** The folder of the chat's package. The build writes modules to `dist/server`, which is as deep as this folder. */
export const PACKAGE_FOLDER = new URL("../../", import.meta.url);
