/*
 * The words by which the origin marks recognize an order and what it asks for. Chosen by measurement (`npm run bench --
 * origin`); what brought no gain (descriptions of tools, fuzzy matching, ROT13) is left out.
 */

export type VerbClass =
  | 'send'
  | 'delete'
  | 'create'
  | 'change'
  | 'pay'
  | 'book'
  | 'cancel'
  | 'access'
  | 'run'
  | 'play'
  | 'read'

/** Printable ASCII, like most sentences. */
export const PLAIN = /^[\x20-\x7e]*$/

interface Pattern {
  test(text: string, isPlain: boolean): boolean
  exec(text: string, isPlain: boolean): RegExpExecArray | null
  /** Removes the first match. */
  cut(text: string, isPlain: boolean): string
}

/**
 * On plain text, a pattern without the flag `u` is five times as fast. `whole`: of Unicode, it uses only `\p{L}`, `\p{N}`
 * and `\P{L}`, the last outside of classes.
 */
export function inTwoForms(whole: RegExp): Pattern {
  const plain = new RegExp(plainSource(whole.source), whole.flags.replace('u', ''))
  const form = (isPlain: boolean) => (isPlain ? plain : whole)
  return {
    test: (text, isPlain) => form(isPlain).test(text),
    exec: (text, isPlain) => form(isPlain).exec(text),
    cut: (text, isPlain) => text.replace(form(isPlain), ''),
  }
}

/** The same for text that is plain: in a class of characters, `\p{L}` becomes `a-zA-Z`. */
function plainSource(source: string): string {
  let isInClass = false
  return source.replaceAll(/\\p\{([LN])\}|\\P\{L\}|\\.|[[\]]/g, (found, kind?: string) => {
    if (found === '[') isInClass = true
    if (found === ']') isInClass = false
    if (found === '\\P{L}') return '[^a-zA-Z]'
    const letters = kind === 'L' ? 'a-zA-Z' : '\\d'
    return kind === undefined ? found : isInClass ? letters : `[${letters}]`
  })
}

/** English verbs by the class of a tool with that name. A tool whose name has none of them is taken to act. */
const englishVerbs: Readonly<Record<VerbClass, string>> = {
  send: 'send post share forward email mail message publish tweet reply notify invite submit transmit upload export dispatch broadcast',
  delete: 'delete remove erase wipe clear drop purge destroy discard trash unlink uninstall scrap dispose',
  create: 'create add write save make insert append generate register schedule compose draft store put log',
  change:
    'change update edit modify set rename move replace configure adjust patch convert enable disable assign turn activate fix repair correct revise rewrite',
  pay: 'pay buy purchase transfer withdraw deposit invest donate sell refund charge trade exchange',
  book: 'book reserve order rent hire appointment',
  cancel: 'cancel terminate unsubscribe revoke stop deactivate decline reject',
  access: 'access grant unlock open allow approve authorize authorise permit login lock admit',
  run: 'run execute launch start deploy install dispense activate eval javascript js python script terminal command shell',
  play: 'play stream watch listen',
  read: 'get read list search find fetch look view show check query retrieve lookup load download browse calculate compute count compare describe inspect',
}

/**
 * Beginnings of words in German, Spanish, French, Italian, Portuguese and Russian; whole words in Chinese and Japanese.
 */
const foreignVerbs: Readonly<Partial<Record<VerbClass, string>>> = {
  delete:
    'lösch entfern borr elimin suprim supprim efface apag exclu entsorg wegwerf beseitig streich vernicht quita quite deshac deshaz descart cancell удал стер 删除 删掉 清空 移除 清掉 扔掉 扔了 丢弃 去掉 销毁 处理掉 刪除 削除 消去',
  create:
    'schreib speicher erstell anleg hinzufüg escrib crea guard añad écri ajout enregistr scriv salv notier festhalt eintrag apunt anota pon ponlo aggiun escrev напиш созда сохран добав 写入 创建 新建 保存 添加 记录 记到 写到 放到 补上 存到 加到 新增 建立 書い 書き 作成 追加',
  change:
    'änder ersetz umbenenn verschieb korrig anpass berichtig schieb corrig ajust actualiz mueve muevan lleva cambi modific reempla renombr chang remplac renomm déplac sostitu altera измен замен переимен перемест исправ 修改 替换 重命名 移动 更改 改成 改为 调整 调成 换成 更新 修正 修复 変更 置換 移動 修正',
  send: 'schick weiterleit teile veröffentlich envi manda compart reenví reenvi remit übermittel partag transf invia отправ пошл перешл 发送 转发 分享 发给 转给 传给 寄给 发到 交给 發送 送信 転送 共有 送っ',
  run: 'ausführ führe starte ejecut corre exécut lanc lanza eseg auswert запус выполн 运行 执行 跑一 启动 執行 実行',
  pay: 'kauf bezahl überweis compr paga transfier achet vire acquist купи оплат перевед 购买 支付 转账 付款 汇款 打到 汇到 缴费 購入 支払 振込',
  book: 'buch reservier termin reserv agenda réserv prenot бронир запиш 预订 预约 預約 予約',
  read: 'besuch aufruf rufe anseh klick visit abre consult 查看 访问 浏览 阅读 看一 点击 点开',
  cancel: 'storn abbrech kündig anul annul отмен 取消 キャンセル',
  access:
    'gewähr entsperr aufsperr sperr freigeb öffne conced desbloque autoris déverrouill sblocc разреш откро 授权 解锁 打开 許可 解除',
}

/** Phrases without the verb. */
const phrases: readonly (readonly [RegExp, VerbClass])[] = [
  [
    /\b(?:get(?:ting)? rid of|throw (?:\S+ ){0,3}away|take (?:\S+ ){0,3}(?:away|down|out)|no longer (?:be )?(?:needed|exist)|should (?:not|be) (?:here|gone)|do away with|empty (?:the|this|that|out)\b|leave no|(?:can|may|should) go\b|no need (?:to keep|for)|(?:in|into|to) the (?:bin|trash|rubbish)|any ?longer\b|any ?more\b|is obsolete|(?:until|once|when|after) .{1,60} (?:is|are) gone)/iu,
    'delete',
  ],
  [
    /\b(?:put .{1,60}? (?:in|into|to|at)\b|jot down|note down|belongs? in|goes? (?:in|into)|there (?:must|should|has to) be|is missing (?:a|the|its)|expects? .{1,60} (?:in|at|to)\b|a copy (?:of|goes))/iu,
    'create',
  ],
  [
    /\b(?:swap .{1,60}? for|instead of|should (?:read|say|be called)|turn .{1,60}? into|bring .{1,60}? in line|(?:another|a new|a better|its new) name|the (?:correct|right) \S+ (?:in|of|for)\b|out of date|keeps? .{1,60}? (?:up to date|current|empty))/iu,
    'change',
  ],
  [/\b(?:pass (?:\S+ ){0,6}(?:on|along)|let .{1,40}? know|get .{1,60}? to\b|hand .{1,60}? (?:over|to))/iu, 'send'],
]

/** All of them in one pass, because most sentences have none. */
const anyPhrase = inTwoForms(new RegExp(phrases.map(([{ source }]) => source).join('|'), 'iu'))

/** Words of names that say nothing about the tool. */
const emptyWords =
  'get the and for with from list info information data manager details all by of to in on at my our your api tool new via about using into out'

/** Words that occur in the names of many tools: one of them alone is weak evidence. */
const commonWords =
  'manage control use user service file page item event status detail task name code number app account order process system model history record view field type value option search result content current default path folder document project help support test version update check set make time text message line word key id date note'

const orderVerbs =
  'go use call open click visit fetch find get set add run send tell show read write list give put take keep turn start stop make check look see report reply say execute decode follow proceed process complete perform search retrieve download upload install forward share transfer grant allow enable disable unlock lock delete remove erase wipe clear drop move copy rename change replace edit update modify create save store book schedule cancel order buy sell pay invest withdraw invite post publish initiate begin guide dispatch request provide obtain pull gather collect extract export import activate deactivate register enroll subscribe unsubscribe sign log authorise authorize approve confirm accept decline reject answer respond contact dial settle strike visit print record speak translate generate produce prepare compile navigate drive lower raise increase decrease dispense refill assign file attach embed append insert overwrite swap leak reveal include trigger launch reset reboot empty'

/** A sentence with one of these is an order, wherever its verb is. */
export const ORDER_CUE = inTwoForms(
  /\b(?:please|kindly|(?:can|could|would|will) (?:you|we)|let'?s|let us|it is (?:necessary|important|essential|time) to|remember to|i want|i need|i'?d like|i would like|make sure|be sure|ensure|do not forget|don't forget|ignore|disregard|must|have to|has to|needs? to|you (?:should|need|will|are to)|(?:is|are) (?:required|needed|expected|supposed)|should (?:be|read|say|go)|ought to|still open|execute|only (?:complete|done|finished|valid) (?:once|when|if|after)|not (?:complete|done|finished) until|your (?:new )?(?:task|job|goal)|(?:and|then) (?:then )?(?:send|email|e-mail|mail|forward|share|post|upload|delete|remove|erase|transfer|pay|publish|run|execute|install|grant|unlock) (?:it|them|this|that|these|those|the|all|every|everything|your|my|his|her|their|its|to)|bitte|por favor|debes|tienes que|veuillez|il faut|musst|sollst|müssen|devi|bisogna)(?![\p{L}\p{N}])|пожалуйста|(?<!\p{L})(?:нужно|надо)(?!\p{L})|请|請|務必|务必|必须|必須|ください|下さい|してほしい/iu,
)

/** How manuals describe a tool: with indefinite objects, by unnamed criteria. */
export const DESCRIBES = inTwoForms(
  /\b(?:based on|specified|specific|given|provided|such as|e\.g|optional(?:ly)?|a list of|one or more|various|using|for a|of a|from a)\b|^\P{L}*\p{L}+ (?:\p{L}+ ){0,2}(?:an?|one or more)\b/iu,
)

/** Only with one of these does a sentence of a tool's description order more than it describes. */
export const DESCRIPTION_CUE =
  /\b(?:please|always|never|must|have to|has to|before (?:using|calling|any|each|every|you)|after (?:using|calling|any|each|every|you)|first (?:call|read|use|run|send)|important|ignore|disregard|make sure|do not (?:tell|mention|inform)|don't (?:tell|mention|inform)|you (?:should|need|will))(?![\p{L}\p{N}])|必须|必須|务必|總是|总是|之前|ください/iu

export const CHINESE_OR_JAPANESE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

const MAX_STEMS = 50_000
const stems = new Map<string, string>()

/** Removes endings that change neither the meaning nor the verb; both sides are cut the same way. */
export function stem(word: string): string {
  const before = stems.get(word)
  if (before !== undefined) return before
  const cut = cutWord(word)
  if (stems.size >= MAX_STEMS) stems.clear()
  stems.set(word, cut)
  return cut
}

function cutWord(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  const cut = word
    .replace(/ies$/, 'y')
    .replace(/(?<=[^s])s$/, '')
    .replace(/(?<=..)(?:ing|ed|er|ation|ion|ment)$/, '')
    .replace(/(?<=..)(?:e|ie|y)$/, '')
  return cut.replace(/([bdfgmnprt])\1$/, '$1')
}

/** Classes as bits, so that an order can store them in a number. */
const bitOf: Readonly<Record<VerbClass, number>> = {
  send: 1,
  delete: 2,
  create: 4,
  change: 8,
  pay: 16,
  book: 32,
  cancel: 64,
  access: 128,
  run: 256,
  play: 512,
  read: 1024,
}
export const READS = bitOf.read
export const WRITES = bitOf.create | bitOf.change
/** What a text that only informs rarely asks for. */
export const GRAVE = bitOf.delete | bitOf.pay | bitOf.cancel | bitOf.access

const stemmed = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(stem))
const entriesOf = (verbs: Readonly<Partial<Record<VerbClass, string>>>) =>
  Object.entries(verbs) as [VerbClass, string][]

const classesByStem = new Map<string, number>()
for (const [verbClass, verbs] of entriesOf(englishVerbs)) {
  for (const verb of stemmed(verbs)) classesByStem.set(verb, (classesByStem.get(verb) ?? 0) | bitOf[verbClass])
}
const beginnings = entriesOf(foreignVerbs).flatMap(([verbClass, verbs]) =>
  verbs.split(' ').map((beginning) => [beginning, bitOf[verbClass]] as const),
)
const empty = stemmed(emptyWords)
const common = stemmed(commonWords)
const verbsOfOrders = stemmed(orderVerbs)

/** Words repeat often; this many are cached. */
const MAX_KNOWN = 50_000
const known = new Map<string, number>()

/** The classes that a stem asks for, as bits. */
export function classesOf(word: string): number {
  const before = known.get(word)
  if (before !== undefined) return before
  let found = classesByStem.get(word) ?? 0
  if (word.length >= 4 || !/^[a-z]*$/.test(word)) {
    for (const [beginning, bit] of beginnings) if (word.startsWith(beginning)) found |= bit
  }
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(word, found)
  return found
}

/** The classes that a sentence asks for without the verb, as bits. */
export const classesOfPhrases = (text: string, isPlain = PLAIN.test(text)): number =>
  anyPhrase.test(text, isPlain)
    ? phrases.reduce((found, [phrase, verbClass]) => (phrase.test(text) ? found | bitOf[verbClass] : found), 0)
    : 0

export const isEmptyWord = (word: string): boolean => empty.has(word)
/** One alone does not say which tool is meant. */
export const isWeakWord = (word: string): boolean => common.has(word) || classesByStem.has(word)

/** Whether a sentence that begins with this word is an order: an imperative verb, not `Retrieves` or `Created`. */
export function beginsOrder(word: string): boolean {
  const cut = stem(word)
  if (/(?<!s)s$/.test(word) && cut !== word) return false
  // "Opening hours", or a report of what was done, such as the list of changed files after a run.
  if (/(?:[^e]ed|ing)$/.test(word) && cut !== word) return false
  return verbsOfOrders.has(cut) || classesOf(cut) !== 0
}

/** Words that begin a sentence and are no verb: articles, prepositions, conjunctions, labels. Such words do not grow. */
export const noVerbs: ReadonlySet<string> = new Set(
  'a an the this that these those my your our his her its their some any each every all both no not and or but nor so yet for if as at by in of on to up with from into onto over under above below between within without against about after before since until while during per via than like near beyond except where when why how what which who whose whether because although though unless once also only just even still then thus hence here there now again maybe perhaps often always never sometimes usually currently instead otherwise moreover therefore however meanwhile yes well ok okay thanks hello hi dear is are was were be been being am do does did has have had can could may might must shall should will would i you he she it we they me him us them der die das den dem ein eine einen und oder aber in im an am auf aus bei bis für gegen mit nach ohne seit über um unter von vor zu zum zur wenn weil als wie was wer wo el la los las un una y o de del en con por para sin sobre si que como cuando le les et ou mais dans avec pour sans sur sous chez si quand il lo gli di da e per non se o os as um uma em com file folder directory path page line module class function method component script image table error warning note notice info debug fatal example figure section chapter see source target input output result reason cause status version default name type route test tests found built wrote sent lost made went took kept left held sold told saw came gave got began chose drew drove fell grew knew led met paid rose said sat spoke spent stood taught thought threw won bought brought caught felt heard hid meant'.split(
    ' ',
  ),
)

/** May be a verb that orders: no word of the closed classes, and no form such as `Retrieves`, `Created`, `Loading`. */
export const mayBeImperative = (word: string): boolean =>
  !noVerbs.has(word) && !/(?:[^s]s|(?<!^(?:shr|sh|emb|f|n|h|sp|bl))e?ed|ing|ly|tion|ment)$/.test(word)
