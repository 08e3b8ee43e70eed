# The chat. Settings, API keys and the database are provided from outside: see compose.yaml and docs/chat-team.md.
FROM node:24-slim AS build
WORKDIR /app
COPY . .
RUN npm ci && npm run prepack --workspace apps/chat

FROM node:24-slim
ENV NODE_ENV=production CONFIG=/app/apps/chat/config.toml DATA_DIR=/app/.skillset/chat
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/skillset/package.json packages/skillset/
COPY packages/sandbox/package.json packages/sandbox/
COPY packages/testing/package.json packages/testing/
COPY packages/unplugin/package.json packages/unplugin/
COPY apps/chat/package.json apps/chat/
# The program needs only the embedded database. `--workspace` leaves out the sandbox: scripts are off in a container.
RUN npm ci --omit=dev --ignore-scripts --workspace apps/chat && npm cache clean --force
COPY packages/skillset/skills packages/skillset/skills
COPY apps/chat/config.toml apps/chat/config.team.toml apps/chat/
COPY apps/chat/bin apps/chat/bin
COPY apps/chat/server/database/migrations apps/chat/server/database/migrations
COPY --from=build /app/apps/chat/dist apps/chat/dist
COPY --from=build /app/apps/chat/web/dist apps/chat/web/dist
USER node
EXPOSE 4173
# A single process: it receives SIGTERM and lets running answers finish.
CMD ["node", "apps/chat/bin/skillset-chat.js"]
