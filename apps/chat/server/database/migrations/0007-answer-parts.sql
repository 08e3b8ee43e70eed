-- The log of running answers: chunks of the stream in order, without the texts of skills. The rows of an answer are
-- deleted with its claim, when the whole answer is stored as a message.
CREATE TABLE answer_parts (
  chat_id text NOT NULL REFERENCES answers (chat_id) ON DELETE CASCADE,
  seq integer NOT NULL,
  chunks text NOT NULL,
  PRIMARY KEY (chat_id, seq)
);
