export { outputsOf, type SessionOutputs } from "../core/host/outputs-of.ts";
export type {
  DeclaredPackages,
  PackageOptions,
  PackageRegistries,
  PackageStatus,
  PrepareResult,
  RefusedPackage,
} from "../core/script/packages.ts";
export { describeSandbox, RUNNER_NAMES, type RunnerName, type SandboxName } from "../core/script/runner-names.ts";
export type {
  ConsentAnswer,
  ConsentRequest,
  PackageLanguage,
  PrepareJob,
  ScriptConsent,
  ScriptEnd,
  ScriptFile,
  ScriptHooks,
  ScriptJob,
  ScriptLimits,
  ScriptOutput,
  ScriptResult,
  ScriptRunner,
  ScriptSecrets,
  SecretsRequest,
} from "../core/script/script.ts";
export type { ScriptOptions } from "../core/script/script-options.ts";
export { makeTemporaryFolder, removeOwnedFolder } from "../node/copy/owned-folder.ts";
export { environmentSecrets } from "./environment-secrets.ts";
export { endWithHost } from "./process/end-with-host.ts";
export type { Language } from "./process/interpreter.ts";
export { refuseFailures } from "./process/refuse-failures.ts";
export { type ProcessJob, runProcess } from "./process/run-process.ts";
export {
  fillArguments,
  type ScriptFolders,
  scriptEnvironment,
  scriptLanguage,
} from "./process/script-command.ts";
export { bubblewrap } from "./runners/bubblewrap.ts";
export { type ContainerOptions, container } from "./runners/container.ts";
export { createScriptRunner, type FoundRunner } from "./runners/create-script-runner.ts";
export { type RemoteOptions, type RemoteRunner, remote } from "./runners/remote/remote.ts";
export type {
  RemoteCommand,
  RemotePath,
  RemoteProcess,
  RemoteSession,
} from "./runners/remote/remote-session.ts";
export { type SandboxRuntimeOptions, sandboxRuntime } from "./runners/sandbox-runtime.ts";
export { subprocess } from "./runners/subprocess.ts";
