-- Names and digests of active skills, without their instructions.
CREATE TABLE chat_skills (
  chat_id text NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
  name text NOT NULL,
  digest text NOT NULL,
  activated_by text NOT NULL,
  position integer NOT NULL,
  PRIMARY KEY (chat_id, name)
);

-- The skills that an admin has disabled.
CREATE TABLE skill_switches (
  name text PRIMARY KEY,
  changed_at timestamptz NOT NULL DEFAULT now()
);

-- Kept when a chat is deleted, so that usage counts do not decrease.
CREATE TABLE skill_usage (
  skill text NOT NULL,
  day date NOT NULL,
  chat_id text NOT NULL,
  activations integer NOT NULL,
  PRIMARY KEY (skill, day, chat_id)
);
