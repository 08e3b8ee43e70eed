-- Each row belongs to an owner: through its chat, or by its own column. What an admin sets for all of them has none.
CREATE TABLE chats (
  id text PRIMARY KEY,
  owner text NOT NULL,
  title text NOT NULL,
  title_words text NOT NULL,
  model_id text NOT NULL,
  spent integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- Set while the chat is in the bin, where it stays until somebody restores it or its time is over.
  deleted_at timestamptz,
  -- Increases when another branch is shown.
  branch integer NOT NULL DEFAULT 0
);
-- The list of chats and the bin, page by page.
CREATE INDEX chats_listed ON chats (owner, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX chats_in_bin ON chats (owner, deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL;

-- A chat is a tree: the parent of a message is the message before it. One branch is shown. The first message of a branch
-- that is not shown has its `tail`: the last message, and the skills that were active because of the branch. A message
-- always has a higher position than its parent.
CREATE TABLE messages (
  chat_id text NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
  id text NOT NULL,
  position bigserial NOT NULL,
  role text NOT NULL CHECK (role IN ('system', 'user', 'assistant')),
  parts jsonb NOT NULL,
  metadata jsonb NOT NULL,
  words text NOT NULL,
  parent_id text,
  is_shown boolean NOT NULL DEFAULT true,
  tail jsonb,
  PRIMARY KEY (chat_id, id)
);
CREATE INDEX messages_in_order ON messages (chat_id, position);
-- A search reads the newest messages of all chats first, and only the start of each.
CREATE INDEX messages_newest ON messages (position DESC);

-- The contents of attached files, each once for its owner. The digest is null while a file is being uploaded.
CREATE TABLE blobs (
  id text PRIMARY KEY,
  owner text NOT NULL,
  digest text,
  size bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX blobs_by_digest ON blobs (owner, digest);

-- A content is stored in pieces, because the embedded database does nothing else while it stores one.
CREATE TABLE blob_pieces (
  blob_id text NOT NULL REFERENCES blobs (id) ON DELETE CASCADE,
  piece integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (blob_id, piece)
);
-- Most large files are compressed already, and compressing takes time.
ALTER TABLE blob_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Files that people attached. The chat and the path are null until a message with the file is sent.
CREATE TABLE attachments (
  id text PRIMARY KEY,
  owner text NOT NULL,
  chat_id text REFERENCES chats (id) ON DELETE CASCADE,
  blob_id text NOT NULL REFERENCES blobs (id) ON DELETE RESTRICT,
  name text NOT NULL,
  media_type text NOT NULL,
  path text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX attachments_of_chat ON attachments (chat_id);
CREATE INDEX attachments_of_blob ON attachments (blob_id);

-- Running answers: the server of each, and the end of its lease.
CREATE TABLE answers (
  chat_id text PRIMARY KEY REFERENCES chats (id) ON DELETE CASCADE,
  id text NOT NULL,
  server text NOT NULL,
  model_id text NOT NULL,
  lease_until timestamptz NOT NULL
);

-- The log of running answers: chunks of the stream in order, without the texts of skills. The rows of an answer are
-- deleted with its claim, when the whole answer is stored as a message.
CREATE TABLE answer_parts (
  chat_id text NOT NULL REFERENCES answers (chat_id) ON DELETE CASCADE,
  seq integer NOT NULL,
  chunks text NOT NULL,
  PRIMARY KEY (chat_id, seq)
);

-- The requests of each answer: usage, events, and a recipe from which the request can be rebuilt. Never texts of skills,
-- which a recipe names by digest.
CREATE TABLE answer_steps (
  chat_id text NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
  answer_id text NOT NULL,
  step integer NOT NULL,
  input_tokens integer NOT NULL,
  output_tokens integer NOT NULL,
  is_estimate boolean NOT NULL,
  cost double precision,
  record text NOT NULL,
  PRIMARY KEY (chat_id, answer_id, step)
);

-- The chat's own words in requests, once for all requests of an owner: rules, and definitions of tools.
CREATE TABLE prompt_texts (
  owner text NOT NULL,
  digest text NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (owner, digest)
);

-- Names and digests of active skills, and what the user wrote after a name. Never their instructions.
CREATE TABLE chat_skills (
  chat_id text NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
  name text NOT NULL,
  digest text NOT NULL,
  activated_by text NOT NULL,
  arguments text,
  position integer NOT NULL,
  PRIMARY KEY (chat_id, name)
);

-- What a chat's model has seen of skills, so that every request repeats it byte for byte: the catalog, and later
-- additions to it. Names and descriptions, never instructions.
CREATE TABLE chat_sessions (
  chat_id text PRIMARY KEY REFERENCES chats (id) ON DELETE CASCADE,
  -- The version of the stored state, as the library numbers it.
  version integer NOT NULL,
  catalog jsonb,
  notices jsonb NOT NULL
);

-- The skills that an admin has disabled, for everybody.
CREATE TABLE skill_switches (
  name text PRIMARY KEY,
  changed_at timestamptz NOT NULL DEFAULT now()
);

-- The versions of skills whose scripts an admin has allowed to run without asking.
CREATE TABLE script_consents (
  owner text NOT NULL,
  skill text NOT NULL,
  digest text NOT NULL,
  allowed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner, skill, digest)
);

-- How often skills were activated. Counts only chats that exist.
CREATE TABLE skill_usage (
  skill text NOT NULL,
  day date NOT NULL,
  chat_id text NOT NULL,
  activations integer NOT NULL,
  PRIMARY KEY (skill, day, chat_id)
);
CREATE INDEX skill_usage_of_chat ON skill_usage (chat_id);

-- Of the installation: the hash of the admin token.
CREATE TABLE settings (
  key text PRIMARY KEY,
  value text NOT NULL
);
