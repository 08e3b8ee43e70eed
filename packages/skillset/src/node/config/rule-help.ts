import type { ProblemCode } from "../../core/base/problem.ts";

/** What each rule checks, and why. Reports show it as the rule's help. */
export const RULE_HELP: Readonly<Record<ProblemCode, string>> = {
  "frontmatter-missing":
    "A SKILL.md starts with a '---' line, then 'name:' and 'description:'. Without it no agent loads the skill.",
  "frontmatter-unclosed": "A line with only '---' closes the frontmatter. Without it no agent loads the skill.",
  "frontmatter-invalid-yaml": "The frontmatter must be YAML. No agent loads the skill otherwise.",
  "frontmatter-not-a-mapping": "The frontmatter must be 'key: value' lines. No agent loads the skill otherwise.",
  "frontmatter-too-large": "The frontmatter must not be larger than 16 KiB.",
  "frontmatter-repaired":
    "The frontmatter is not valid YAML. It was repaired here, but other agents may reject the skill.",
  "frontmatter-not-first": "The first '---' must be on the first line. The standard's reference validator requires it.",
  "name-missing": "The frontmatter must have a 'name'. The name of the folder is used instead.",
  "name-not-a-string": "The name must be a string, not a number or a boolean. Put it in quotes.",
  "name-empty": "The name must not be empty. The name of the folder is used instead.",
  "name-too-long": "A name must not have more than 64 characters.",
  "name-uppercase": "A name must be lowercase.",
  "name-characters": "A name may contain only letters, digits and hyphens.",
  "name-spaces": "A name must not have spaces or line breaks around it.",
  "name-not-ascii": "Not every agent accepts names with letters outside a-z.",
  "name-edge-hyphen": "A name must not start or end with a hyphen.",
  "name-double-hyphen": "A name must not have two hyphens in a row.",
  "name-unusable": "The name must be a valid folder name.",
  "name-folder-mismatch": "The standard requires that a skill and its folder have the same name.",
  "description-missing": "The frontmatter must have a 'description'. A model chooses skills by it.",
  "description-not-a-string": "The description must be a string. Put it in quotes.",
  "description-empty": "The description must not be empty. A model chooses skills by it.",
  "description-too-long": "A description must not have more than 1,024 characters.",
  "license-not-a-string": "The license must be a string. Put it in quotes.",
  "compatibility-not-a-string": "The field 'compatibility' must be a string. Put it in quotes.",
  "compatibility-empty": "The field 'compatibility' must not be empty.",
  "compatibility-too-long": "The field 'compatibility' must not have more than 500 characters.",
  "metadata-not-a-mapping": "The field 'metadata' must be a mapping of names to strings.",
  "metadata-value-not-a-string": "The values in 'metadata' must be strings. Put them in quotes.",
  "allowed-tools-not-a-string": "The field 'allowed-tools' must be one string with spaces between the tools.",
  "allowed-tools-commas": "The field 'allowed-tools' separates tools with spaces, not with commas.",
  "allowed-tools-list": "The field 'allowed-tools' must be one string, not a list.",
  "field-unknown":
    "The standard does not have this field. Correct its spelling, leave it if an agent reads it, or put it under 'metadata'.",
  "flag-not-a-boolean": "The field must be true or false.",
  "requirement-invalid":
    "A requirement in 'metadata' is malformed. It is not checked, so the skill is listed where it may not work.",
  "triggers-invalid":
    "The field 'triggers' must have lists of strings named 'keywords', 'verbs' and 'patterns'. Others are not used. " +
    "Under 'metadata' they are 'trigger-keywords', 'trigger-verbs' and 'trigger-patterns'.",
  "toolsets-invalid":
    "The field 'toolsets' must be a list of modules and exports, such as 'toolsets/index:MyToolset'. Others are not used.",
  "hidden-text": "People cannot see these characters, but models read them. They can hide instructions.",
  "skill-md-misnamed": "The file must be named exactly SKILL.md. Agents do not find it otherwise.",
  "skill-md-not-a-file": "SKILL.md must be a file, not a folder, a pipe or a device.",
  "skill-md-unreadable": "SKILL.md cannot be read: check its permissions.",
  "skill-md-too-large": "SKILL.md must not be larger than 1 MiB.",
  "encoding-not-utf8": "SKILL.md must be UTF-8 text.",
  "nul-byte": "SKILL.md must be plain text, without NUL bytes.",
  "file-refused": "A file has an invalid path. It is not used.",
  "skill-too-large": "A skill must not have more than 2,000 files or 64 MiB.",
  "link-outside": "A link must not leave the skill's folder.",
  "link-broken": "The link's target does not exist.",
  "source-missing": "The folder does not exist.",
  "source-empty": "No skill was found, so nothing was validated.",
  "source-unreadable": "The folder cannot be read: check its permissions.",
  "source-kept": "A source failed to reload. Its previous skills are kept.",
  "scan-limit": "The scan stopped early, so some skills may not be validated. Pass the folders of the skills.",
  "skills-not-read":
    "Agents do not find a skill below another skill. Move it out of that folder, or add its own folder as a source.",
  "skill-shadowed": "Another skill with the same name takes precedence, so this one is not used.",
  "skill-locked": "The skill belongs to a project and is not trusted yet, or has changed since.",
  "skill-limit": "There are more skills than the limit allows.",
  "requirement-unmet":
    "The skill requires something that this machine, its host or the other skills lack, so it is hidden.",
  "skill-not-published":
    "The skill is not published in the MCP Skills extension, which accepts only skills that pass 'validate --strict'.",
  "skill-not-imported": "The way an MCP server lists the skill breaks the rules of the Skills extension.",
  "pattern-unmatched": "A name in the settings matches no skill.",
  "profile-widens":
    "A profile in a project's skillset.json allows more than the user does. A project may only narrow, so it is ignored.",
  "embedding-failed": "The embedding model failed or was slow, so skills are ranked by their words alone.",
  "scripts-disabled": "Scripts were asked for, and no sandbox works on this machine.",
  "sandbox-broken": "A sandbox is installed and does not work, so scripts run in a weaker one.",
  "body-empty": "There are no instructions below the frontmatter.",
  "body-too-long": "The standard recommends at most 5,000 tokens and 500 lines of instructions.",
  "trigger-pattern-invalid":
    "A pattern in 'triggers' must be an RE2 expression that does not match every message. It is not used otherwise.",
  "template-unchanged": "A line of the 'skillset new' template is unchanged. Replace it with the skill's instructions.",
  "reference-missing": "The instructions name a file that is not in the skill's folder. Agents cannot read it.",
  "reference-deep": "A reference links to further files. The standard recommends references one level deep.",
};
