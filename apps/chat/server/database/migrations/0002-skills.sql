-- Names and digests; the instructions stay in the skills.
CREATE TABLE chat_skills (
  chat_id text NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
  name text NOT NULL,
  digest text NOT NULL,
  activated_by text NOT NULL,
  position integer NOT NULL,
  PRIMARY KEY (chat_id, name)
);

-- The skills that an admin has switched off.
CREATE TABLE skill_switches (
  name text PRIMARY KEY,
  changed_at timestamptz NOT NULL DEFAULT now()
);

-- Outlives the chats, so that figures do not shrink when one is deleted.
CREATE TABLE skill_usage (
  skill text NOT NULL,
  day date NOT NULL,
  chat_id text NOT NULL,
  activations integer NOT NULL,
  PRIMARY KEY (skill, day, chat_id)
);
