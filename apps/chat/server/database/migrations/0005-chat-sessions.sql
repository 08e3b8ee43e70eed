-- What a chat's model has seen of skills, so that every request repeats it byte for byte: the catalog, and later
-- additions to it. Names and descriptions, never instructions.
CREATE TABLE chat_sessions (
  chat_id text PRIMARY KEY REFERENCES chats (id) ON DELETE CASCADE,
  catalog jsonb NOT NULL,
  notices jsonb NOT NULL
);
