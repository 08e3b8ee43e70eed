-- Deleted chats stay in the bin until somebody restores them or their time is over.
ALTER TABLE chats ADD COLUMN deleted_at timestamptz;
CREATE INDEX chats_in_bin ON chats (deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL;

-- The list of chats, page by page.
DROP INDEX chats_updated_at;
CREATE INDEX chats_listed ON chats (updated_at DESC, id DESC) WHERE deleted_at IS NULL;

-- Messages that were replaced by an edited message or a new answer. The place is the position of the message before
-- them, or 0 at the start of the chat.
CREATE TABLE replacements (
  id text PRIMARY KEY,
  chat_id text NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
  place bigint NOT NULL,
  count integer NOT NULL,
  excerpt text NOT NULL,
  skills jsonb NOT NULL,
  deleted_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX replacements_of_chat ON replacements (chat_id);
CREATE INDEX replacements_newest ON replacements (deleted_at DESC, id DESC);

CREATE TABLE replaced_messages (
  replacement_id text NOT NULL REFERENCES replacements (id) ON DELETE CASCADE,
  id text NOT NULL,
  position bigint NOT NULL,
  role text NOT NULL,
  parts jsonb NOT NULL,
  metadata jsonb NOT NULL,
  words text NOT NULL,
  PRIMARY KEY (replacement_id, id)
);

-- Usage counts only chats that exist.
DELETE FROM skill_usage WHERE NOT EXISTS (SELECT FROM chats WHERE chats.id = skill_usage.chat_id);
CREATE INDEX skill_usage_of_chat ON skill_usage (chat_id);
