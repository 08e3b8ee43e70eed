-- Running answers: the server of each, and the end of its lease.
CREATE TABLE answers (
  chat_id text PRIMARY KEY REFERENCES chats (id) ON DELETE CASCADE,
  id text NOT NULL,
  server text NOT NULL,
  model_id text NOT NULL,
  lease_until timestamptz NOT NULL
);
