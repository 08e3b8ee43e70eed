/** Whom chats, files and consents belong to. Today there is a single owner. */
export type Owner = string & { readonly [IS_OWNER]: true };

declare const IS_OWNER: unique symbol;

export const LOCAL_OWNER = "local" as Owner;
