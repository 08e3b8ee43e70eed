-- The contents of attached files, each once. The digest is null while a file is being uploaded.
CREATE TABLE blobs (
  id text PRIMARY KEY,
  digest text,
  size bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX blobs_by_digest ON blobs (digest);

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
  chat_id text REFERENCES chats (id) ON DELETE CASCADE,
  blob_id text NOT NULL REFERENCES blobs (id) ON DELETE RESTRICT,
  name text NOT NULL,
  media_type text NOT NULL,
  path text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX attachments_of_chat ON attachments (chat_id);
CREATE INDEX attachments_of_blob ON attachments (blob_id);
