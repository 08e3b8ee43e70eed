-- The versions of skills whose scripts an admin has allowed to run without asking.
CREATE TABLE script_consents (
  skill text NOT NULL,
  digest text NOT NULL,
  allowed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (skill, digest)
);
