import type { NextConfig } from "next";

const config: NextConfig = {
  // Deployments copy only the files that a route needs: name the folders of skills.
  outputFileTracingIncludes: { "/api/chat": ["./skills/**/*"] },
};

export default config;
