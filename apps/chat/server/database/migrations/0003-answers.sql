-- The answers under way: who writes each one, and until when that server is taken to live.
CREATE TABLE answers (
  chat_id text PRIMARY KEY REFERENCES chats (id) ON DELETE CASCADE,
  id text NOT NULL,
  server text NOT NULL,
  model_id text NOT NULL,
  lease_until timestamptz NOT NULL
);
