-- A search reads the newest messages of all chats first, and only the start of each.
CREATE INDEX messages_newest ON messages (position DESC);
UPDATE messages SET words = left(words, 20000) WHERE length(words) > 20000;
