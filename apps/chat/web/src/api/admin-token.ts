const KEY = "admin-token";

/** Kept for the tab only: closing it forgets the token. */
export function adminToken(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined;
}

export function keepAdminToken(token: string | undefined): void {
  if (token === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, token);
}
