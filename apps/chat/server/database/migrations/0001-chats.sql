CREATE TABLE chats (
  id text PRIMARY KEY,
  title text NOT NULL,
  title_words text NOT NULL,
  model_id text NOT NULL,
  spent integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX chats_updated_at ON chats (updated_at DESC);

CREATE TABLE messages (
  chat_id text NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
  id text NOT NULL,
  position bigserial NOT NULL,
  role text NOT NULL CHECK (role IN ('system', 'user', 'assistant')),
  parts jsonb NOT NULL,
  metadata jsonb NOT NULL,
  words text NOT NULL,
  PRIMARY KEY (chat_id, id)
);
CREATE INDEX messages_in_order ON messages (chat_id, position);

CREATE TABLE settings (
  key text PRIMARY KEY,
  value text NOT NULL
);
