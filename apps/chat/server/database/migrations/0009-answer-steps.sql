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

-- The chat's own words in requests, once for all of them: rules, and definitions of tools.
CREATE TABLE prompt_texts (
  digest text PRIMARY KEY,
  text text NOT NULL
);
