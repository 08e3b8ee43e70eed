const KEY = "admin-token";

/** Stored per tab: closing the tab deletes the token. */
export function adminToken(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined;
}

export function keepAdminToken(token: string | undefined): void {
  if (token === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, token);
}
