-- A chat is a tree: the parent of a message is the message before it. One branch is shown. The first message of a branch
-- that is not shown has its `tail`: the last message, and the skills that were active because of the branch. A message
-- always has a higher position than its parent.
ALTER TABLE messages ADD COLUMN parent_id text;
ALTER TABLE messages ADD COLUMN is_shown boolean NOT NULL DEFAULT true;
ALTER TABLE messages ADD COLUMN tail jsonb;
-- Increases when another branch is shown.
ALTER TABLE chats ADD COLUMN branch integer NOT NULL DEFAULT 0;

-- A question that was answered again: the bin has it too, with its first position.
UPDATE messages SET position = old.position
FROM (
  SELECT chat_id, replaced_messages.id, parts, min(position) AS position
  FROM replaced_messages JOIN replacements ON replacements.id = replacement_id
  WHERE role = 'user' GROUP BY chat_id, replaced_messages.id, parts
) AS old
WHERE messages.chat_id = old.chat_id AND messages.id = old.id AND messages.parts = old.parts
  AND old.position < messages.position;

UPDATE messages SET parent_id = before.parent_id
FROM (SELECT chat_id, id, lag(id) OVER (PARTITION BY chat_id ORDER BY position) AS parent_id FROM messages) AS before
WHERE messages.chat_id = before.chat_id AND messages.id = before.id;

-- Replaced messages become branches. Ids that are used twice get a new one.
-- Not a temporary table, which needs a privilege of its own.
CREATE TABLE moved AS
SELECT chat_id, replacement_id, replaced_messages.id AS old_id, position, place, role, parts, metadata, words, skills,
  CASE
    WHEN EXISTS (SELECT FROM messages WHERE messages.chat_id = replacements.chat_id AND messages.id = replaced_messages.id)
      OR row_number() OVER (PARTITION BY chat_id, replaced_messages.id ORDER BY position, replacement_id) > 1
    THEN replaced_messages.id || '-' || left(replacement_id, 8) ELSE replaced_messages.id
  END AS id,
  EXISTS (
    SELECT FROM messages WHERE messages.chat_id = replacements.chat_id AND messages.id = replaced_messages.id
      AND messages.position = replaced_messages.position
  ) AS is_same
FROM replaced_messages JOIN replacements ON replacements.id = replacement_id;

UPDATE moved SET id = old_id WHERE is_same;
CREATE INDEX moved_replacement ON moved (replacement_id, position);
CREATE INDEX moved_chat ON moved (chat_id, position);
ANALYZE moved;

INSERT INTO messages (chat_id, id, position, role, parts, metadata, words, parent_id, is_shown)
SELECT chat_id, id, position, role, parts, metadata, words,
  coalesce(
    (SELECT one.id FROM moved AS one WHERE one.replacement_id = moved.replacement_id AND one.position < moved.position
      ORDER BY one.position DESC LIMIT 1),
    (SELECT one.id FROM moved AS one WHERE one.chat_id = moved.chat_id AND one.position = moved.place LIMIT 1),
    (SELECT one.id FROM messages AS one WHERE one.chat_id = moved.chat_id AND one.position <= moved.place
      ORDER BY one.position DESC LIMIT 1)
  ), false
FROM moved WHERE NOT is_same
ON CONFLICT DO NOTHING;

UPDATE messages SET tail = jsonb_build_object('last', ends.last, 'skills', ends.skills)
FROM (
  SELECT DISTINCT ON (replacement_id) chat_id, id, skills,
    last_value(id) OVER (PARTITION BY replacement_id ORDER BY position
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS last
  FROM moved WHERE NOT is_same ORDER BY replacement_id, position
) AS ends
WHERE messages.chat_id = ends.chat_id AND messages.id = ends.id;

DROP TABLE moved;
DROP TABLE replaced_messages;
DROP TABLE replacements;
