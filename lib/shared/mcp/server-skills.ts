import type { Client } from '@modelcontextprotocol/client'
import { SkillsClient, type Skill } from '@modelcontextprotocol/client/ext/skills'
import { skillSizeLimits } from '@/lib/shared/skills/skill'
import { type Offer, type OfferRequest, type OfferedSkill, offerOf } from './offers'

/*
 * Skills of a server (SEP-2640), requested by the user and copied into a chat, where they wait for an approval like any
 * other. The SDK checks each file against the size and the digest in the server's own entry.
 */

const nothing: Offer = { prompts: [], resources: [], pieces: [] }
const MAX_SKILLS = 100
const MAX_ABOUT = 1_024

type Asked = Extract<OfferRequest, { readonly ask: 'skills' | 'skill' }>

/** Rejects as the SDK does, also if a file differs from its entry. */
async function skillsOffer(
  client: Client,
  asked: Asked,
  options: { readonly timeout: number; readonly signal?: AbortSignal },
): Promise<Offer> {
  const skills = new SkillsClient(client, { skipInvalid: true })
  if (!skills.supported) return { ...nothing, skills: [] }
  if (asked.ask === 'skills') {
    const { skills: listed } = await skills.list({}, options)
    return { ...nothing, skills: listed.slice(0, MAX_SKILLS).flatMap(offeredOf) }
  }
  const { skill } = await skills.get(asked.uri, options)
  if (offeredOf(skill).length === 0 || skill.resources === 'dynamic') return { ...nothing, files: [] }
  const root = skill.uri.slice(0, skill.uri.lastIndexOf('/') + 1)
  const files: { path: string; base64: string }[] = []
  for (const { uri } of skill.resources) {
    const { bytes } = await skills.read(skill, uri, options)
    files.push({ path: decodeURIComponent(uri.slice(root.length)), base64: base64Of(bytes) })
  }
  return { ...nothing, files }
}

/** Files that may change each time can't be approved, and large ones are no skills. */
function offeredOf({ uri, frontmatter, resources }: Skill): readonly OfferedSkill[] {
  if (resources === 'dynamic') return []
  const bytes = resources.reduce((sum, { size }) => sum + size, 0)
  if (resources.length > skillSizeLimits.files || bytes > skillSizeLimits.bytes) return []
  const { name, description } = frontmatter
  return [{ uri, name, about: description.slice(0, MAX_ABOUT), files: resources.length, bytes }]
}

/** In pieces: the arguments of one function call are limited. */
function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(text)
}

/** What a server offers to people, skills included. Rejects as the SDK does. */
export const anyOffer = (client: Client, ask: OfferRequest, timeoutMs: number, signal?: AbortSignal): Promise<Offer> =>
  ask.ask === 'skills' || ask.ask === 'skill'
    ? skillsOffer(client, ask, { timeout: timeoutMs, ...(signal && { signal }) })
    : offerOf(client, ask, timeoutMs, signal)
