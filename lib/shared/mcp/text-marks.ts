import { foldToolName } from '@/lib/base/text/nearest-path'
import { hiddenKind } from '@/lib/base/untrusted-text/mark'
import { isJsonObject, type JsonValue } from '@/lib/base/json'
import type { McpTool } from '@/lib/shared/conversation/settings/tool-server'

/** A part of a text compared with an earlier one. */
export interface WordChange {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Longer texts are shown as removed and added as a whole: the table for the comparison would be too large. */
const MAX_WORDS = 1_500

/**
 * The words of `after`, with the words of `before` that they replace. Joined without `removed` it is exactly `after`.
 */
export function wordDiff(before: string, after: string): readonly WordChange[] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  if (old.length > MAX_WORDS || now.length > MAX_WORDS) {
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]
  }
  const width = now.length + 1
  const common = new Uint16Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const next = (i + 1) * width
      common[i * width + j] =
        old[i] === now[j]
          ? (common[next + j + 1] ?? 0) + 1
          : Math.max(common[next + j] ?? 0, common[i * width + j + 1] ?? 0)
    }
  }
  const changes: { kind: WordChange['kind']; text: string }[] = []
  const put = (kind: WordChange['kind'], text: string | undefined) => {
    const last = changes.at(-1)
    if (text === undefined) return
    if (last?.kind === kind) last.text += text
    else changes.push({ kind, text })
  }
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      put('same', now[j])
      i += 1
      j += 1
    } else if (
      j >= now.length ||
      (i < old.length && (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      put('removed', old[i])
      i += 1
    } else {
      put('added', now[j])
      j += 1
    }
  }
  return changes
}

/** Words and the text between them; characters of scripts without spaces are separate. */
const wordsOf = (text: string): readonly string[] =>
  text.match(/\p{Script=Han}|[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []

/** Suspicious features of a tool's texts. */
export interface TextMarks {
  readonly givesOrder: boolean
  readonly namesTool: boolean
  readonly addressesUser: boolean
  /** A word mixes Latin letters with similar ones of another alphabet. */
  readonly looksAlike: boolean
  /** The number of invisible characters. */
  readonly hidden: number
}

/**
 * Sentences that direct the model beyond the use of this tool, or claim an authority that a tool doesn't have. Ordinary
 * advice ("use this when", "must be absolute") does not count.
 */
const orders = [
  // Orders to ignore other orders.
  /\b(?:ignore|disregard|override|forget|bypass|discard)\s+(?:all|any|every|previous|prior|earlier|other|the|your|my|our|these|those)\b.{0,40}\b(?:instructions?|rules?|guidelines?|polic(?:y|ies)|prompts?|restrictions?|directives?|guardrails?|told|said)\b/i,
  /\b(?:ignore|disregard|forget)\s+(?:everything|what(?:ever)?\s+(?:you|was|came|is)|(?:all|any)\s+(?:of\s+the\s+)?(?:previous|prior|above))\b/i,
  /\bfrom\s+now\s+on\s*,|\bnew\s+(?:instructions?|rules?)\s*:|\bwhen\s+you\s+(?:see|read)\s+this\b/i,
  /(?:^|[.!?\n])\s*(?:act|behave)\s+as\s+(?:an?|the|if)\b|(?:^|[.!?\n])\s*pretend\b/im,
  /\byou\s+are\s+(?:now\s+)?(?:in\s+)?(?:an?\s+|the\s+)?(?:admin|root|developer|system|unrestricted)/i,
  // Behind the user's back.
  /\b(?:do\s+not|never|don['’]t)\s+(?:tell|mention|inform|reveal|ask|show|disclose|notify|warn|alert)\b/i,
  /\b(?:hide|conceal|keep)\b.{0,40}\bfrom\s+(?:the\s+)?(?:users?|humans?|people|anyone|everybody)\b/i,
  /\b(?:user|human|anybody|anyone|they)\s+(?:must|should|may|can|need)\s*(?:not|n['’]t|never)\s+(?:know|see|learn|notice|find|be\s+(?:told|informed|shown|asked))\b/i,
  /\b(?:nobody|no\s+one|no\s+user)\s+(?:sees|knows|notices|learns|finds)\b/i,
  /\b(?:secretly|silently|quietly)\s+(?:call|run|read|send|include|add|copy|upload|forward|execute|delete|pass)\b/i,
  // Without approval.
  /\bwithout\s+(?:asking|telling|confirming|confirmation|permission|approval)\b/i,
  /\bno\s+(?:confirmation|approval|permission|consent)\s+(?:is\s+)?(?:needed|required|necessary)\b/i,
  /\b(?:no\s+need|not\s+(?:need|have|necessary|required))\s+(?:\w+\s+){0,2}?(?:ask|confirm|approv)/i,
  /\b(?:skip|bypass)\s+(?:\w+\s+){0,2}?(?:confirmation|approval|permission|consent)\b/i,
  /\buser\s+(?:has\s+|have\s+)?(?:already\s+)?(?:agreed|approved|consented|confirmed|permitted|authori[sz]ed)\b/i,
  // Other calls and other tools.
  /\bbefore\s+(?:each|every|any)\b|\bbefore\s+(?:using|calling|running|invoking)\s+(?:this|it)\b/i,
  /\b(?:always|first)\s+(?:call|invoke|run|read|send|include|add)\b/i,
  /(?:^|[.!?,\n])\s*also\s+(?:send|upload|forward|execute|run|read|copy)\b/im,
  /\bcall(?:ing|ed)?\s+this\s+tool\s+first\b|\bbefore\s+(?:you\s+)?(?:answer|respond|repl)\w*\b/i,
  /\b(?:follow|obey|execute|carry\s+out)\b.{0,30}\b(?:instructions?|orders?|commands?)\s+(?:in|of|from|that|it)\b/i,
  /\bother\s+tools?\b|\b(?:never|do\s+not|don['’]t)\s+use\s+(?:the\s+)?(?:others?|any|built-?in)\b/i,
  /\b(?:respond|reply|answer)\s+only\s+with\b/i,
  // What is none of its business.
  /\bsystem\s+(?:prompt|message|instructions?)\b|\byour\s+(?:instructions?|prompt|system)\b/i,
  /\b(?:include|pass|send|put|provide|copy|append|attach|forward)\b.{0,40}\b(?:conversation|chat)\b/i,
  /\b(?:include|pass|send|put|provide|copy|append|attach|forward|fill)\b.{0,60}\b(?:your\s+reasoning|(?:previous|earlier|prior|other)\s+(?:\w+\s+)?(?:results?|outputs?|messages?))\b/i,
  /\b(?:approved|authori[sz]ed|required|mandated)\s+by\s+(?:the\s+|your\s+)?(?:administrators?|admins?|operators?|developers?|company|security\s+team)\b/i,
  /[~/\\]\.(?:ssh|aws|gnupg|kube|netrc|npmrc|env)\b|\bid_(?:rsa|ed25519)\b|\/etc\/(?:passwd|shadow)\b|\bmcp\.json\b/i,
  /\b(?:contents?\s+of|read|send|open|print)\s+(?:the\s+|your\s+|all\s+)?\.env\b/i,
  // Marks of other roles.
  /<\/?(?:important|system|instructions?|secret|admin|hidden)\b[^>]{0,200}>|<\/(?:tools?|functions?|assistant|user|prompt|description)>/i,
  /<\|[a-z_]{1,30}\|>|<\/?(?:start|end)_of_turn>|\[\/?INST\]|<<\/?SYS>>|<!--|```\s*system\b|\[(?:system|admin|important)\]/i,
  /^\s*(?:system|assistant|developer|admin)\s*:/im,
  // The same in other languages.
  /忽略(?:所有|之前|以上|其他|任何|先前)|(?:无视|無視|忘记|忘記)(?:所有|之前|以上|其他|任何|先前)/,
  /(?:不要|别|勿|不得)(?:告诉|告訴|提及|透露|询问|詢問|让用户|讓用戶|通知)|每次.{0,12}(?:之前|前)|必须先|必須先|系统提示|系統提示/,
  /(?:使用|调用|調用|运行)(?:任何|其他|每个|此|本|该).{0,10}前|(?:使用|调用|調用)前.{0,4}先|用户已经?(?:同意|批准|授权)|(?:无需|不需要).{0,4}(?:确认|批准|询问)/,
  /(?:指示|ルール|命令).{0,12}無視|無視して|(?:지시|규칙|명령).{0,12}무시/,
  /\b(?:ignor\p{L}*|olvid\p{L}*|oubli\p{L}*|vergiss|dimentic\p{L}*|esqueç\p{L}*)\s+(?:\p{L}+\s+){0,3}?(?:instruc|consigne|regla|règle|regole|regras|regeln|anweisung|instruktion|istruzion|instruç)/iu,
  /(?:игнорируй|забудь|не\s+учитывай)\p{L}*\s+.{0,30}(?:инструкци|правил|указани)|не\s+(?:говори|сообщай|упоминай)/iu,
]
/** Orders in which letters are replaced, spaced out or broken: compared without anything else, 1 and l as i. */
const squeezedOrders =
  /(?:ignore|disregard|forget|override)(?:aii|any|the|your)*(?:previous|prior|eariier|other|ruie|instruction)|donot(?:teii|mention|reveai|inform)|systemprompt|withoutasking/
const toUser = [
  /\b(?:the|your|from|to)\s+user\b.{0,40}\b(?:password|key|token|secret|credential)/i,
  /\b(?:tell|ask|inform|remind|notify|urge|convince)\s+the\s+(?:user|human)\b/i,
  /\b(?:show|give|send)\s+(?:the\s+)?(?:user|human)s?\b.{0,30}\b(?:links?|address|urls?|page)\b/i,
  /(?:告诉|请求|要求|提醒|通知)用户/,
]

/** Letters of other alphabets, each before the Latin one that it looks like. */
const twins = new Map(
  'аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXοoνvАAВBЕEКKМMНHОOРPСCТTХXУYІIЈJЅSαaιiκkρpօoսuոnᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢzıiɡgɑa'
    .match(/../g)
    ?.map((pair) => [pair.charAt(0), pair.charAt(1)]),
)

/** `others`: names of tools that are not this one, its server's and built-in ones. */
export function textMarks(tool: McpTool, others: readonly string[]): TextMarks {
  const text = textsOf(tool).join('\n')
  const seen = seenText(text)
  const plain = plainText(seen)
  const readings = [plain, seen].map((one) => one.replaceAll(/[*_~`]+/g, (signs) => (signs === '```' ? signs : '')))
  const named = namesIn(plain)
  return {
    givesOrder:
      orders.some((order) => order.test(plain) || readings.some((reading) => order.test(reading))) ||
      squeezedOrders.test(squeezed(plain)),
    namesTool: others.some((name) => name !== tool.name && isDistinct(name) && named.has(foldToolName(name))),
    addressesUser: toUser.some((order) => order.test(plain)),
    looksAlike: (text.match(/[\p{L}\p{M}]+/gu) ?? []).some(mixesAlphabets),
    hidden: Array.from(text).filter(isHidden).length,
  }
}

export const isMarked = ({ givesOrder, namesTool, addressesUser, looksAlike, hidden }: TextMarks): boolean =>
  givesOrder || namesTool || addressesUser || looksAlike || hidden > 0

const isHidden = (character: string): boolean => hiddenKind(character, 'prose') !== null

/** As a model may understand it: without invisible characters and strokes over letters, and with its codes resolved. */
function seenText(text: string): string {
  const visible = Array.from(text.normalize('NFKC'), (character) => (isHidden(character) ? '' : character)).join('')
  const bare = visible
    .normalize('NFD')
    // Not over other letters: й is a letter of its own.
    .replaceAll(/([a-z])[\u0300-\u036f\u20d0-\u20ff]+/gi, '$1')
    .normalize('NFC')
  const resolved = bare
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot));?/gi, resolvedCode)
    .replaceAll(/%([2-7][\da-f])|\\x([2-7][\da-f])|\\u\{?([\da-f]{4,6})\}?/gi, (_all, ...codes: unknown[]) =>
      resolvedCode('', undefined, codes.slice(0, 3).find((code) => code !== undefined) as string),
    )
  return [
    resolved,
    ...(text.match(/[A-Za-z\d+/]{24,}={0,2}/g) ?? []).map(fromBase64),
    ...(text.match(/(?:[2-7][\da-f]){12,}/gi) ?? []).map(fromHex),
  ].join('\n')
}

const codeNames: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }
function resolvedCode(_all: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return codeNames[name.toLowerCase()] ?? ''
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

/** The text in it; '' if it is none. */
function fromBase64(word: string): string {
  try {
    const text = atob(word.replace(/=+$/, ''))
    return /^[\t\n\r\x20-\x7e]+$/.test(text) && text.includes(' ') ? text : ''
  } catch {
    return ''
  }
}

const fromHex = (digits: string): string =>
  String.fromCodePoint(...(digits.slice(0, 20_000).match(/../g) ?? []).map((code) => Number.parseInt(code, 16)))

/** With similar letters replaced by plain ones. */
const plainText = (text: string): string => Array.from(text, (character) => twins.get(character) ?? character).join('')

const digits: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '|': 'i',
  l: 'i',
}
const squeezed = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[013457@$|l]/g, (sign) => digits[sign] ?? '')
    .replaceAll(/[^a-z.!?;:\n]+/g, '')

const mixesAlphabets = (word: string): boolean =>
  /\p{Script=Latin}/u.test(word) && Array.from(word).some((letter) => twins.has(letter))

/** `echo` or `search` is also an ordinary word. */
const isDistinct = (name: string): boolean => /[a-z\d][_.\-/:][a-z\d]|[a-z][A-Z]/.test(name)

/** Possible names of tools, folded as readers fold them; a part of a longer one counts (`mcp__fs__read_file`). */
function namesIn(text: string): ReadonlySet<string> {
  const words = (text.match(/[\w.:/-]+/g) ?? []).flatMap((word) => [word, ...word.split(/[.:/]|__/)])
  return new Set(words.filter(isDistinct).map(foldToolName))
}

/** All texts of a tool that a model may read, those inside its schemas included. */
export function textsOf({ name, title, description, inputSchema, annotations }: McpTool): readonly string[] {
  // The title may be among the annotations, and it replaces a missing description.
  const hinted = stringsIn(annotations?.['title'] ?? null)
  return [name, title ?? '', ...hinted, description ?? '', ...stringsIn(inputSchema)].filter((text) => text !== '')
}

function stringsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap((one: JsonValue) => stringsIn(one))
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, one]) => [key, ...stringsIn(one)]) : []
}
