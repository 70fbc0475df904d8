import { documentOf } from './document-formats'
import { singleByteNames, type TextEncodingName } from './encoding-names'
import { guessSingleByte } from './single-byte'

/*
 * Detects the encoding of a text file. A byte order mark decides first, then valid UTF-8; otherwise the bytes are
 * scored by what they would decode to. Short texts give little evidence, so the encoding is named wherever such a text
 * is shown or sent.
 */

/*
 * The characters that most texts consist of. They tell two-byte encodings apart: decoded with the wrong encoding, a
 * text consists mostly of other characters. A few hundred are enough; their order does not matter.
 */

/** Kanji of news, names and forms. */
const japanese =
  '日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性的要用制治度務強気小七成期公野協取都和統以機平総加山思家話世受区領多県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝面委告軍文反元重近千考判認画海参売利組知案道信策集在件団別物側任引使求所次水半品昨論計死官増係感特情投示変打男基私各始島直両朝革価式確村提運終挙果西勢減台広容必応演電歳住争談能無再位置企真流格有疑口過局少放税検町常校料裁状工建語球営空職証土与急止送援供可役構木割聞身費付施切由説転食比難防補車優夫研収断何南石足消境神番規術護展態導備宅害配副算視条警究育席起万着店述残想線率病農州声質念待試族銀域助例早張限親額環験追審商葉義伝働形景落担好退準辺造英被株頭技低毎医復仕去味負失移差個門写評課末守若極種美影命含福量望松非観察整段横型白深字答夜製票況音申様財識注呼達顧客番号単価屋庫納請払込図表欄録'

/** Simplified Chinese. */
const simplified =
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取格望术领共确传师观清今切院让识候带导争运户装销售财订单额备注付款货姓城编号称址邮箱客价格总状态型省州街码京广深李刘陈杨赵黄周吴份测试普段用于含税'

/** Traditional forms, in addition to the characters above. */
const traditional =
  '這個們來為國說時會對發後過還進從與長機關間業將兩開頭戰應實無點問樣經當動現種無體見產話內給門東聲義幾認條係氣題爾變總電數報結務場計難權設記類據該規萬領確傳師觀讓識帶導爭運戶裝銷財訂單額備註貨編號稱郵價態張臺北高雄中灣縣區路樓電話姓名城市員書寫讀學習發票帳務檔案內容繁體只'

/** Korean syllables. */
const korean =
  '이다는에의을가고하지한로기사은를도대서나자정시아리인해어스그일과부있제수만구장전보안원선동상여주으위라조게국회들공교적마경중세생우유소성비무화연신모오미말개방산계면였관습니입합된되않없것거내네데드등또르며명문물반발배백번변복본분불빠삼새색석설속식실심십씨액약양업역영예와외요용운월음임작재저점제조종줄직진차처천청체초최추출치크타터토통트파판편평포표품하학항행허험현형호환활황회후김박강윤울산천구광주름도금액격품서총녕짜화번호날합계수량글쓴것'

export interface DecodedText {
  /** Without a byte order mark. */
  readonly text: string
  readonly encoding: TextEncodingName
  /** Length of the byte order mark in bytes. */
  readonly markBytes: number
}

/** Control characters that do not occur in text; white space and the terminal escape do. */
const isControl = (text: string): boolean =>
  Array.from(text.matchAll(/\p{Cc}/gu), ([sign]) => sign.charCodeAt(0)).some(
    (code) => code < 0x20 && code !== 0x1b && (code < 9 || code > 13),
  )

/** `isCut`: the bytes are the beginning of a longer file and may end within a character. */
function decodeAs(encoding: TextEncodingName, data: Uint8Array, isCut: boolean): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(data, { stream: isCut })
    // Valid UTF-8 is reliable by its form alone.
    return (encoding === 'utf-8' ? text.includes('\0') : isControl(text)) ? null : text
  } catch {
    return null
  }
}

/** The text of a file; null: it is not text, or a document format that is not read as text. */
export function decodeText(data: Uint8Array, isCut = false): DecodedText | null {
  if (documentOf(data)) return null
  const [first, second, third] = data
  const marked: readonly [TextEncodingName, number] | null =
    first === 0xff && second === 0xfe
      ? ['utf-16le', 2]
      : first === 0xfe && second === 0xff
        ? ['utf-16be', 2]
        : first === 0xef && second === 0xbb && third === 0xbf
          ? ['utf-8', 3]
          : null
  const markBytes = marked?.[1] ?? 0
  const likely = marked?.[0] ?? 'utf-8'
  const text = decodeAs(likely, data, isCut)
  if (text !== null) return { text, encoding: likely, markBytes }
  if (marked) return null
  const wide = wideText(data, isCut)
  if (wide || hasControlByte(data)) return wide
  for (const encoding of guesses(data)) {
    const guessed = decodeAs(encoding, data, isCut)
    if (guessed !== null) return { text: guessed, encoding, markBytes }
  }
  return null
}

/**
 * In no guessed encoding is such a byte part of a character, so data that contains one is not text and need not be
 * decoded.
 */
function hasControlByte(data: Uint8Array): boolean {
  return data.some((byte) => byte < 0x20 && byte !== 0x1b && (byte < 9 || byte > 13))
}

/** UTF-16 without a byte order mark: separators and line breaks make every other byte zero in some places. */
function wideText(data: Uint8Array, isCut: boolean): DecodedText | null {
  if (data.length < 4 || (data.length % 2 === 1 && !isCut)) return null
  const zeros = [0, 0]
  for (const [at, byte] of data.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const encoding = odd > even ? 'utf-16le' : 'utf-16be'
  if (Math.max(even, odd) < data.length / 16 || Math.min(even, odd) > Math.max(even, odd) / 20) return null
  const text = decodeAs(encoding, data, isCut)
  return text === null || /[\p{Cn}\p{Co}]/u.test(text) ? null : { text, encoding, markBytes: 0 }
}

/** Encodings of two bytes per character, the more usual first. */
const wide = ['gb18030', 'shift_jis', 'euc-jp', 'euc-kr', 'big5'] as const

type Wide = (typeof wide)[number]

const languages: Readonly<Record<Wide, () => string>> = {
  gb18030: () => simplified,
  big5: () => simplified + traditional,
  shift_jis: () => japanese,
  'euc-jp': () => japanese,
  'euc-kr': () => korean,
}
const sets = new Map<Wide, ReadonlySet<string>>()

/** Built when it is needed first: most texts are UTF-8. */
function usualIn(encoding: Wide): ReadonlySet<string> {
  const set = sets.get(encoding) ?? new Set(languages[encoding]())
  sets.set(encoding, set)
  return set
}

/**
 * Voice marks, signs and letters where half-width katakana do not have them. Bytes of another encoding have them
 * anywhere.
 */
const notHalf = /[｡-･]|(?<![ｳｶ-ﾄﾊ-ﾎ])ﾞ|(?<![ﾊ-ﾎ])ﾟ|(?<![ｦ-ﾟ])[ｧ-ｯ]|[@~^_`{|}](?=[｡-ﾟ])|(?<=[｡-ﾟ])[a-z@~^_`{|}]/u

/**
 * Whether the text has half-width katakana. If each run of them has an even length, it may as well be text with two
 * bytes per character.
 */
const isHalfWidth = (text: string): boolean =>
  !notHalf.test(text) && (text.match(/[｡-ﾟ]+/g) ?? []).some((run) => run.length % 2 === 1)

/**
 * How well the characters outside ASCII fit the language of the encoding, from 0 to 1; null: the bytes are invalid in
 * it.
 */
function fitOf(encoding: Wide, data: Uint8Array): number | null {
  const text = decodeAs(encoding, data, true)
  const beyond = text === null ? [] : Array.from(text).filter((letter) => letter > '\u007f')
  if (beyond.length === 0) return null
  const usual = usualIn(encoding)
  const isHalf = text !== null && isHalfWidth(text)
  const isJapanese = encoding === 'shift_jis' || encoding === 'euc-jp'
  const valueOf = (letter: string): number => {
    if (usual.has(letter)) return 1
    if (/[\u3041-\u30ff]/.test(letter)) return isJapanese ? 1 : 0
    // One byte each in Shift JIS, where other encodings have letters.
    if (/[\uff61-\uff9f]/.test(letter)) return encoding === 'shift_jis' ? (isHalf ? 0.8 : 0.1) : 0
    if (/[\u3000-\u3020\uff00-\uff60“”‘’…—·¥]/.test(letter)) return 0.7
    if (/[\uac00-\ud7a3]/.test(letter)) return encoding === 'euc-kr' ? 0.25 : 0
    return /\p{sc=Han}/u.test(letter) && encoding !== 'euc-kr' ? 0.25 : 0
  }
  return beyond.reduce((sum, letter) => sum + valueOf(letter), 0) / beyond.length
}

/** The beginning of a text is enough evidence. */
const evidenceBytes = 20_000

/** Possible encodings, likeliest first. The caller skips a guess if the bytes are not valid in it. */
function guesses(whole: Uint8Array): readonly TextEncodingName[] {
  const data = whole.subarray(0, evidenceBytes)
  const found: TextEncodingName[] = []
  const single = guessSingleByte(data)
  const fits = wide
    .map((encoding) => ({ encoding, fit: fitOf(encoding, data) ?? 0 }))
    .toSorted((one, other) => other.fit - one.fit)
  const best = fits[0]?.fit ?? 0
  // No text with two bytes per character resembles words of an alphabet this closely.
  if (single.cost < (best > 0.85 ? 1 : 1.5) && best < 0.9) found.push(single.encoding)
  // Only a short text can consist of rare characters.
  const isShort = data.filter((byte) => byte >= 0x80).length <= 24
  const least = isShort && single.cost >= 1 ? 0.2 : 0.35
  found.push(...fits.filter(({ fit }) => fit > least).map(({ encoding }) => encoding))
  if (single.cost < 2) found.push(single.encoding)
  if (isWestern(data)) found.push('windows-1252')
  return found
}

/** Mostly ASCII, with letters, quotation marks and similar signs of western languages. */
function isWestern(data: Uint8Array): boolean {
  let high = 0
  let letters = 0
  for (const byte of data) {
    if (byte < 0x80) continue
    high += 1
    // These bytes are undefined in Windows-1252.
    if (byte === 0x81 || byte === 0x8d || byte === 0x8f || byte === 0x90 || byte === 0x9d) return false
    if (byte >= 0xc0 || byte === 0x8a || byte === 0x8c || byte === 0x8e || byte === 0x9a || byte === 0x9c) letters += 1
    else if (byte >= 0x91 || byte === 0x80 || byte === 0x85) letters += 1
  }
  return high > 0 && high / data.length < 0.3 && letters / high > 0.6
}

/*
 * Writes a text in the encoding of its file. Browsers encode only UTF-8, so the tables are built from what they decode.
 */

export interface EncodedText {
  readonly data: Uint8Array
  /** UTF-8 if the file's own encoding can't hold the text, or the result would be detected as another encoding. */
  readonly encoding: TextEncodingName
}

type FileEncoding = Pick<DecodedText, 'encoding' | 'markBytes'>

/** Never loses a character: decoding these bytes gives the text. */
export function encodeText(text: string, { encoding, markBytes }: FileEncoding): EncodedText {
  const utf8 = (marked: string): EncodedText => ({ data: new TextEncoder().encode(marked), encoding: 'utf-8' })
  if (encoding === 'utf-8') return utf8(markBytes > 0 ? `\ufeff${text}` : text)
  const data =
    encoding === 'utf-16le' || encoding === 'utf-16be'
      ? encodeUtf16(`${markBytes > 0 ? '\ufeff' : ''}${text}`, encoding === 'utf-16le')
      : encodeByTable(text, encoding)
  const read = data && decodeText(data)
  if (!read || read.text !== text) return utf8(text)
  // Pure ASCII does not reveal its encoding.
  return { data, encoding: read.encoding }
}

function encodeUtf16(text: string, isLittle: boolean): Uint8Array {
  const data = new Uint8Array(text.length * 2)
  const view = new DataView(data.buffer)
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), isLittle)
  return data
}

/** Null if the encoding lacks a character of the text. */
function encodeByTable(text: string, encoding: TextEncodingName): Uint8Array | null {
  const table = tableOf(encoding)
  const bytes: number[] = []
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0
    if (code < 0x80) {
      bytes.push(code)
      continue
    }
    const found = table.get(letter)
    if (found === undefined) return null
    if (found > 0xff) bytes.push(found >> 8)
    bytes.push(found & 0xff)
  }
  return Uint8Array.from(bytes)
}

const tables = new Map<TextEncodingName, ReadonlyMap<string, number>>()

/** Characters outside ASCII by their one or two bytes. */
function tableOf(encoding: TextEncodingName): ReadonlyMap<string, number> {
  const known = tables.get(encoding)
  if (known) return known
  const decoder = new TextDecoder(encoding, { fatal: true })
  const table = new Map<string, number>()
  const learn = (...bytes: readonly number[]) => {
    try {
      const letter = decoder.decode(Uint8Array.from(bytes))
      const isOne = Array.from(letter).length === 1
      if (isOne && !table.has(letter))
        table.set(
          letter,
          bytes.reduce((sum, byte) => sum * 256 + byte, 0),
        )
    } catch {
      // No character has these bytes.
    }
  }
  for (let lead = 0x80; lead <= 0xff; lead += 1) {
    learn(lead)
    if (singleByteNames.some((name) => name === encoding)) continue
    for (let trail = 0x40; trail <= 0xfe; trail += 1) learn(lead, trail)
  }
  tables.set(encoding, table)
  return table
}
