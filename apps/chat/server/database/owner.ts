/**
 * Whom chats, files and consents belong to. Every store works for one owner, and no query of one reaches rows of another.
 * Today there is a single owner; `http/owner-of.ts` says whose request it is.
 */
export type Owner = string & { readonly [IS_OWNER]: true };

declare const IS_OWNER: unique symbol;

/** Without spaces, because notices between servers contain it. */
export function toOwner(text: string): Owner {
  if (!/^[\w-]{1,100}$/.test(text)) throw new Error(`'${text}' is not the id of an owner.`);
  return text as Owner;
}

export const LOCAL_OWNER = toOwner("local");
