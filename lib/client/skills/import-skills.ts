import { err, ok, type Result } from '@/lib/base/result'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import { memberName } from '@/lib/client/files/zip/create-zip'
import { readZip } from '@/lib/client/files/zip/read-zip'
import {
  isSkill,
  skillSizeLimits,
  readSkill,
  type SkillFile,
  skillFile,
  type SkillFlaw,
} from '@/lib/shared/skills/skill'

/** A skill to be put into a chat. */
export interface IncomingSkill {
  readonly name: string
  readonly files: readonly SkillFile[]
}

type Imported = Result<readonly IncomingSkill[], { readonly message: string }>

const maxFound = 20
const limits = {
  maxFiles: skillSizeLimits.files * maxFound,
  maxFileBytes: skillSizeLimits.fileBytes,
  maxTotalBytes: skillSizeLimits.bytes * 4,
  maxRatio: 200,
} as const

/** The skills of a zip: each folder in it with a SKILL.md. Other files are left out. */
export async function skillsOfZip(zip: Blob): Promise<Imported> {
  const read = await readZip(zip, limits)
  return read.ok ? skillsOf(read.value.files) : err(read.error)
}

/** The skills of a folder that was chosen or dropped. Sizes are checked before anything is read. */
export async function skillsOfFiles(
  chosen: readonly { readonly path: string; readonly file: File | null }[],
): Promise<Imported> {
  const files = chosen.flatMap(({ path, file }) => (file ? [{ path, file }] : []))
  const total = files.reduce((sum, { file }) => sum + file.size, 0)
  if (files.length > limits.maxFiles || total > limits.maxTotalBytes)
    return err({ message: flawText({ kind: 'too-large' }) })
  const only = files[0]
  if (files.length === 1 && only && /\.(?:zip|skill)$/i.test(only.path)) return skillsOfZip(only.file)
  const read: SkillFile[] = []
  for (const { path, file } of files) {
    const name = memberName(path)
    if (name.kind !== 'path') continue
    read.push({ path: name.path, data: new Uint8Array(await file.arrayBuffer()) })
  }
  return skillsOf(read)
}

/** A skill of a tool server, from the files that it sent. Paths that lead elsewhere are left out. */
export function skillOfServer(sent: readonly { readonly path: string; readonly base64: string }[]): Imported {
  const files = sent.flatMap(({ path, base64 }) => {
    const name = memberName(path)
    return name.kind === 'path'
      ? [{ path: name.path, data: Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)) }]
      : []
  })
  return skillsOf(files)
}

/** `skill.md` in any case is the skill’s text, as for other readers of skills. */
function skillsOf(given: readonly SkillFile[]): Imported {
  const files = given.map(({ path, data }) => ({ path: path.replace(/(^|\/)skill\.md$/i, `$1${skillFile}`), data }))
  const roots = files
    .filter(({ path }) => path === skillFile || path.endsWith(`/${skillFile}`))
    .map(({ path }) => path.slice(0, -skillFile.length))
    .toSorted((a, b) => a.length - b.length)
  // A SKILL.md inside a skill is one of its files.
  const outer = roots.filter((root, at) => !roots.slice(0, at).some((above) => root.startsWith(above)))
  if (outer.length === 0) return err({ message: flawText({ kind: 'no-skill-file' }) })
  if (outer.length > maxFound) return err({ message: t('skills.too-many', { most: maxFound }) })
  const found: IncomingSkill[] = []
  for (const root of outer) {
    const own = files
      .filter(({ path }) => path.startsWith(root))
      .map(({ path, data }) => ({ path: path.slice(root.length), data }))
      .filter(({ path }) => !/(?:^|\/)(?:(?:\.git|node_modules|__pycache__|__MACOSX)\/|\.DS_Store$)/.test(path))
    const read = readSkill(null, own)
    if (!isSkill(read)) return err({ message: flawText(read) })
    found.push({ name: read.head.name, files: own })
  }
  return ok(found.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
}

/** Why a folder is not a skill, as a sentence. */
export function flawText(flaw: SkillFlaw): string {
  switch (flaw.kind) {
    case 'head':
      return flaw.flaw.kind === 'not-understood'
        ? t('skills.flaw.not-understood', { line: flaw.flaw.line })
        : flaw.flaw.kind === 'twice'
          ? t('skills.flaw.twice', { key: asUntrusted(flaw.flaw.key) })
          : t(`skills.flaw.${flaw.flaw.kind}`)
    case 'bad-name':
      return t('skills.flaw.bad-name', { name: asUntrusted(flaw.name.slice(0, 80)) })
    case 'other-name':
      return t('skills.flaw.other-name', { name: asUntrusted(flaw.name), folder: asUntrusted(flaw.folder) })
    case 'too-large':
      return t('skills.flaw.too-large', { files: skillSizeLimits.files, most: skillSizeLimits.bytes })
    case 'no-skill-file':
    case 'not-text':
    case 'no-name':
    case 'no-description':
      return t(`skills.flaw.${flaw.kind}`)
  }
}
