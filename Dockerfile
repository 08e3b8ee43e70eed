# The chat. Settings, API keys and the database are provided from outside: see compose.yaml and docs/chat-team.md.
FROM node:24-slim AS build
WORKDIR /app
COPY . .
# `npm ci` also builds the library.
RUN npm ci && npm run build --workspace apps/chat

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/skillset/package.json packages/skillset/
COPY packages/skillset/bin packages/skillset/bin
COPY packages/sandbox/package.json packages/sandbox/
COPY apps/chat/package.json apps/chat/
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force
COPY packages/skillset/skills packages/skillset/skills
COPY --from=build /app/packages/skillset/dist packages/skillset/dist
COPY --from=build /app/packages/sandbox/dist packages/sandbox/dist
COPY --from=build /app/apps/chat/web/dist apps/chat/web/dist
COPY apps/chat/config.toml apps/chat/config.team.toml apps/chat/
COPY apps/chat/shared apps/chat/shared
COPY apps/chat/server apps/chat/server
USER node
EXPOSE 4173
# A single process: it receives SIGTERM and lets running answers finish.
CMD ["node", "apps/chat/server/main.ts"]
