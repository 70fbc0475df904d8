import { CHINESE_OR_JAPANESE, noVerbs } from './lexicon'
import { normalize } from './text-index'

/*
 * What a request of the user asks for: to do what a text says, to work on files, or only to be told something. Decided
 * from words only, like the marks (`origin-mark.ts`).
 */

/*
 * The user told the model to do what a file or a page says. Built from parts: a verb for doing work, and words for the
 * work that a text holds, in this order or, in Chinese and Japanese, in either.
 */
const DOING =
  'do|carry out|work (?:through|off|on)|go through|follow|execute|perform|complete|finish|handle|process|take care of|deal with|act on|implement|apply|tackle|tick off|see to|make|mache?|mach(?:en|t)|tue?|erledige?|arbeite?|bearbeite?|befolge?|setze?|führe?|haz|sigue|completa|realiza|ejecuta|cumple|fais|faites|suis|suivez|effectue|exécute|réalise|applique|fai|segui|esegui|completa|faça|faz|siga|execute|cumpra|сделай|выполни|следуй'
const WORK =
  'what|whatever|everything|all (?:that|of (?:it|them|this))|tasks?|steps?|instructions?|items?|points?|to-?dos?|orders?|requests?|actions?|changes (?:listed|described|that|from|in)|plan|ticket|was|alles|aufgaben?|punkte|schritte|anweisungen|lo que|todo lo|tareas?|pasos|instrucciones|puntos|ce qu\\S*|tout ce|tâches?|étapes|quello|compiti|passi|istruzioni|o que|tarefas|passos|instruções|то|вс[её]|задач\\p{L}*|шаг\\p{L}*|инструкци\\p{L}*'
const WORD = '(?<![\\p{L}\\p{N}])'
const WORD_END = '(?![\\p{L}\\p{N}])'
const FILE = '[\\p{L}\\p{N}_~-]*[./][^\\s"<>]*[\\p{L}\\p{N}]'
const ITS = '(?:it|so|them|that|this|all|everything|es|das|dies|alles|lo|todo|le|tout|ça|это|вс[её])'

/** Between the verb and the work, another word may name work of the user's own: "make a list of what it says". */
const OF_IT =
  '(?:(?:the|my|our|all|each|every|any|of|exactly|just|open|remaining|other|first|next|last|these|those|die|das|den|der|alle|offenen|meine|las|los|la|el|mis|les|des|le|tous|toutes|mes|i|gli|le|as|os|minhas|meus|все|мои) )'

const FOLLOWS_A_TEXT: readonly RegExp[] = [
  `${WORD}(?:${DOING}),? ${OF_IT}{0,3}?(?:${WORK})(?![\\p{L}\\p{N}]|[./]\\p{L})`,
  // Such verbs need no word for the work.
  `${WORD}(?:follow|obey|work (?:through|off)|carry out|execute|implement|act on|befolge?|suis|suivez|sigue|segui|siga|следуй)(?:: | )(?:\\S+ ){0,4}?${FILE}(?!\\S* (?:for|about) )`,
  `${WORD}(?:read|open|see|look (?:at|into)|go through|check|lies|öffne|lee|abre|lis|ouvre|leggi|leia|прочитай|открой)${WORD_END}.{1,80}?(?:and|then|und|dann|y|et|e|и|,|\\.) (?:then |please |bitte )?(?:${DOING}) ${ITS}(?:$|[\\s]*[.!,;]|(?: \\S+){1,3}[.!]?$)`,
  `${WORD}for (?:what to do|instructions|your tasks?)${WORD_END}|${WORD}according to (?:the|its) |${WORD}as (?:described|written|listed|instructed|it says) (?:in|there)${WORD_END}|${WORD}mache? (?:das|was|alles)${WORD_END}`,
  'のとおり|の通り|に従って|に沿って',
  '(?:作業|タスク|手順|指示|こと).{0,8}(?:やって|やり|実行|行っ|こなし|進め)',
].map((pattern) => new RegExp(pattern, 'giu'))

const NEGATION = /(?<!\p{L})(?:not|n[o']t|never|nicht|ничего|не|jamais|nunca)(?!\p{L})|不/iu
const NOT_DOING =
  /(?:not|n[o']t|never|without|nicht|kein\p{L}*|no|ne|pas|non|não|не|不要?|别|勿|无需)(?: \p{L}+)?\s*$/iu
const TO_TELL = /(?<!\p{L})(?:whether|if|why|how|who|ob|wer|wie|si|qui)(?: \S+){0,3} $/iu

/** The user's text, normalized, tells to do what a text says. */
const tellsToDoAsWritten = (text: string): boolean =>
  !isQuestion(text) &&
  FOLLOWS_A_TEXT.some((pattern) =>
    [...text.matchAll(pattern)].some(({ 0: match, index }) => {
      const before = text.slice(Math.max(0, index - 40), index)
      return !NOT_DOING.test(before) && !TO_TELL.test(before) && !NEGATION.test(match)
    }),
  )

/*
 * A request with `§` in the place of the text's name: it leaves the work to that text. Each phrase has the mark, so that a
 * request about one text says nothing about another.
 */
const DO =
  'do|carry out|work (?:on|off|through)|follow|execute|perform|complete|finish|handle|take care of|deal with|act on|implement|apply|tackle|tick off|see to|knock (?:out|off)|action|resolve|address|sort out'
const SAYS =
  '(?:says?|said|asks?|wants?|needs?|tells?|describes?|lists?|requests?|requires?|demands?|instructs?|explains|shows|suggests|sets? out|lays? out|calls? for|(?:is|are) (?:asking|telling|calling))'
const JOB = '(?:orders|instructions?|tasks?|job|brief|assignment|to-?dos?|work|checklist|guide|spec)'
const HELD =
  '(?:what|whatever|everything|anything|all|requests?|tasks?|steps?|items?|points?|to-?dos?|chores|things|stuff|work|jobs?|checklist|instructions|orders)'
/** Between a verb and the text, any other word may name work of the user's own: "do a summary of what it says". */
const SMALL =
  '(?:(?:what|whatever|everything|anything|all|as|exactly|just|precisely|like|the|way|how|that|which|it|this|these|those|so|things?|up|each|every|any|open|remaining|other|first|next|last|two|three|\\d+|of|my|our) )'
const THERE = '(?:(?:that|which|are|is|you|find|see|listed|left|open|mentioned|described|written|noted) )'
const CARRY = '(?:carry (?:it|them|that|this) out|sort (?:it|them) out|knock (?:it|them) out)'
const OPEN_WORK = `(?:it|them|that|this|those|these|all|everything|so|the (?:work|job|rest|lot)|(?:each|every|all the) (?:step|task|item|point|one)s?|(?:what|whatever|everything|as) (?:it|they|he|she) ${SAYS}|what (?:\\S+ ){0,4}(?:left|open|undone|remains|missing)(?: open)?)`
const CLAUSE_ENDS =
  '(?: (?:all|there|first|now|today|tonight|please|too|yourself|for me|as well|one by one|step by step|by \\S+))*(?:[.,;!?]|$| and )'
/** Requests to work. */
const LEAVES_TO_IT: readonly RegExp[] = [
  `${WORD}(?:${DO}|make (?:the |all |any )?(?:changes?|fix(?:es)?|edits?)|set|change|fix|build) ${SMALL}{0,6}?§ ${SAYS}${WORD_END}`,
  `${WORD}(?:${DO}) ${SMALL}{0,3}?${HELD}(?:'s|'re)? ${THERE}{0,3}?(?:in|on|from|of|at|inside) §(?! (?:into|to|as) )`,
  `${WORD}get (?:${SMALL}|${HELD} |(?:in|on|from) ){0,4}?§ (?:all )?done${WORD_END}`,
  `§,?(?: (?:so|and|please|just|now))* get (?:it|them|that|this|everything|all of (?:it|them)) done${WORD_END}`,
  `${WORD}by doing (?:exactly |just )?(?:what|whatever|as|everything) (?:it|they|§) ${SAYS}${WORD_END}|${WORD}(?:do|set|build|install|make|fix) (?:it|this|that|everything|things) (?:up )?(?:following|according to|as per|per) §`,
  `${WORD}get (?:cracking|going|started|to work|working|moving|busy) (?:on|with) §`,
  `${WORD}(?:go|work|run|step) (?:down|through|along) (?:\\S+ ){0,4}?§ (?:.{0,20} )?(?:step by step|one by one|(?:tick|cross|check) (?:\\S+ )?off|point by point)`,
  `§.{0,40}? (?:act|proceed) accordingly|${WORD}(?:${DO}|set|fix|build|change) ${SMALL}{0,3}?§ (?:exactly |just )?(?:as|the way|like) (?:described|written|instructed|asked|requested|specified|stated|(?:it|they|he|she)(?:'s| is|'re| are)? (?:written|${SAYS}))`,
  `§.{0,60}?(?:,|;|\\.| and| then) (?:then |so |please |now |just |go and )*(?:(?:${DO}) ${OPEN_WORK}|${CARRY})${CLAUSE_ENDS}`,
  `${WORD}(?:${DO}) (?:exactly )?(?:what|whatever|everything|anything|all|as|the (?:things?|work|stuff)) (?:that )?(?:\\p{L}+ ){1,2}${SAYS} (?:for )?(?:me |us |you )?(?:to do )?(?:in|on) §`,
  `${WORD}(?:${DO}) (?:\\S+ ){0,3}?(?:exactly |just )?(?:as|the way|like) § ${SAYS}${WORD_END}|${WORD}(?:act|follow up) on §`,
  `${WORD}(?:need|want|get|have|like) (?:${SMALL}|${HELD} ){0,3}?(?:in|on|from) § (?:to be )?(?:taken care of|done|handled|dealt with|completed|carried out)${WORD_END}`,
  `${WORD}follow (?:the|its|every|each|all) (?:\\S+ )?(?:guide|instructions?|steps?|recipe|procedure|tutorial|how-?to) (?:on|in|at|from|of) §`,
].map((one) => new RegExp(one, 'iu'))
/** Statements that the work is in the text. */
const HOLDS_THE_WORK: readonly RegExp[] = [
  `§ (?:has|holds|contains|lists|says|is|are|gives you) (?:(?:your|my|all|the) (?:\\S+ )?${JOB}|what to do)${WORD_END}|${WORD}(?:your|all|the) ${JOB} (?:is|are|stands?) (?:in|on) §`,
  `${WORD}(?:use|take|treat|consider) § as (?:your |my |the )?(?:\\S+ )?(?:${JOB}|request|wish(?:es)?)${WORD_END}`,
  `${WORD}(?:do|get) (?:it|this|that|so)${WORD_END}.{0,20}(?:it(?:'s| is)|they(?:'re| are)|everything(?:'s| is)) (?:all )?(?:in|on) §`,
  `${WORD}what(?:'s| is)? (?:\\S+ ){0,2}?(?:in|on) § is what (?:i|we) (?:want|need)${WORD_END}`,
  `${WORD}(?:i|we)(?:'ve| have)? (?:wrote|written|put|noted|listed|left) .{1,40}? (?:in|on) §,? (?:so |please |now |and |then )*(?:go ahead|get going|get started|get to work|start (?:now|on it)|do it)`,
].map((one) => new RegExp(one, 'iu'))
const TELLS_FIRST =
  /(?<!\p{L})(?:tell|explain|summari[sz]e|sum up|translate|compare|count|check(?! (?:\S+ )?off)|review|sort (?!out)|estimate|proofread|find out|show|walk me|describe|list (?!in|on|of)|whether|how|why|if|which)(?!\p{L})/iu

const CHINESE_END = '(?:好|完|掉|到位|一下|吧|了|就行|即可)*(?=[,。!;]|$)'
const CHINESE_DOES = `(?:做|执行|办|来|操作|处理|设置|改|弄|干|完成|进行|落实|修复|修|安装|装|实现|部署|配置|搭建|执行)${CHINESE_END}`
const CHINESE_DONE =
  '(?:做完|做了|做掉|做好|做一下|办了|办好|办完|办掉|办一下|改好|实现一下|实现了|修好|修复|搞完|搞定|弄好|弄完|完成|处理|执行|落实|干完|干了|解决)(?!成|的)'
/** Between the text and the verb, other words may name work of the user's own. */
const CHINESE_SMALL =
  '[里中上下的之这那些几件个事情任务要求需指示内容步骤清单待办活儿项条列写说让交剩代全部都逐按照描述所有一给先依次]'
const CHINESE_ECHO =
  /§[^。?!]{0,10}(?:怎么|让|叫|要求|要|说|写)[^。?!]{0,6}就[^。?!]{0,4}(?:做|办|改|弄|干|来|执行|写)/u
const LEAVES_TO_IT_CHINESE: readonly RegExp[] = [
  `(?:按照?|照着?|依照?|跟着|根据|遵照|以)[^,。?!]{0,8}§[^。?!]{0,14}?${CHINESE_DOES}`,
  '(?:按照?|照着?|依照|根据)[^,。?!]{0,6}§(?:里|上|中)?的?(?:说明|步骤|要求|指示|流程|方法|教程|描述)(?:来|去)?(?:完成|做|执行|操作|处理)',
  `(?:把|将)[^,。?!]{0,4}§${CHINESE_SMALL}{0,14}?${CHINESE_DONE}`,
  `§[^。?!]{0,16}?(?:都|全|替我|帮我|你来|麻烦|逐项|逐条|一步步|一步一步|拜托)[^。?!]{0,8}?${CHINESE_DONE}`,
  '§[^。?!]{0,18}?(?:照做|照办|逐项完成|逐条完成|一一落实|开工|动手吧|开始吧|现在开始)',
  `§[^。?!]{0,14},[^。?!]{0,8}把[^。?!]{0,6}?(?:事|活|任务|要求|没做完|没完成|剩|该做|里面|它|这些|那些)[^。?!]{0,6}${CHINESE_DONE}`,
  '§[^。?!]{0,6}是[^。?!]{0,4}(?:给你的|你的|我要你)[^。?!]{0,4}(?:任务|活|工作|做的|指令)',
  '(?:你的|给你的)(?:活儿?|任务|工作|指令)[^。?!]{0,3}在§',
  '(?:开始|着手|动手|去)(?:干|做|处理|执行|办)§',
  `(?:执行|完成|落实|做完|办完|搞定)§${CHINESE_SMALL}{0,10}(?=[,。!;]|$)`,
  '§[^。?!]{0,8}(?:你来|由你|交给你|你直接|直接)[^。?!]{0,4}(?:处理|做|办|弄|搞|执行|完成)(?:好|完|掉|它|一下|吧|了|就行)*(?=[,。!;]|$)',
  `§[^。?!]{0,8},(?:然后|再|接着|就|请)?(?:按照?|照着?)(?:里面|上面|它|其中|着)?(?:写|说|讲|要求|列|描述)?[^。?!,]{0,3}去?(?:做|办|执行|来)${CHINESE_END}`,
  '§[^。?!]{0,6}(?:写了|列了|写着|列着)[^。?!]{0,6}(?:要做的事|任务|待办|活儿?|要求)[^。?!]{0,2},(?:你|请|就|都|快)*(?:做|办|干|执行|开始)(?:好|完|掉|一下|吧|了)*(?=[,。!;]|$)',
].map((one) => new RegExp(one, 'u'))
const CHINESE_TELLS =
  /告诉|总结|概括|翻译|译成|讲|解释|说明一下|列出|列一|数一下|检查|估|排一|排序|读给|哪些|什么|多少|几[个项条]|吗|比较|不同|格式|样式|模板|顺序|风格|语气|错别字|拼写/u
const CHINESE_NOT = /别|不要|不用|不必|勿|无需|已|我都|只(?:告诉|看|列|读)/u

/** The same for a request with `§` in the place of the text, normalized. `next`: the request after it. */
function leavesWorkTo(request: string, next: string): boolean {
  if (NEGATION.test(request) || isQuestion(request)) return false
  if (CHINESE_OR_JAPANESE.test(request)) {
    const text = request.replaceAll(/\s+/g, '')
    if (CHINESE_NOT.test(text) || CHINESE_TELLS.test(next) || CHINESE_NOT.test(next)) return false
    return CHINESE_ECHO.test(text) || (!CHINESE_TELLS.test(text) && LEAVES_TO_IT_CHINESE.some((one) => one.test(text)))
  }
  const asked = LEAVES_TO_IT.some((one) => {
    const found = one.exec(request)
    return found !== null && !TELLS_FIRST.test(request.slice(0, found.index + found[0].length))
  })
  if (asked) return true
  const isAskedAbout = TELLS_FIRST.test(request) || TELLS_FIRST.test(next) || isQuestion(next)
  return !isAskedAbout && HOLDS_THE_WORK.some((one) => one.test(request))
}

/** What people call a text by its kind, and the words in the name of a tool or a file that tell the kind. */
const textKinds = {
  mail: [/^(?:e?mails?|gmail|outlook|messages?|inbox)$/, '(?:e-?mail|mail|message)', '邮件|来信|消息'],
  ticket: [/^(?:tickets?|issues?|jira)$/, '(?:ticket|issue)', '工单|任务单|问题单'],
  todo: [/^(?:todos?|tasks?)$/, '(?:(?:to-?do|task)s?[ -]?list|to-?dos)', '待办(?:清单|列表|事项)?|任务(?:清单|列表)'],
  page: [/^https?$/, '(?:page|site|website|web ?page|article)', '网页|页面|网站'],
  notes: [/^notes?$/, 'notes?', '笔记'],
  plan: [/^plans?$/, 'plan', '计划'],
  file: [/^$/, '(?:file|document)', '文件|文档'],
} as const satisfies Readonly<Record<string, readonly [RegExp, string, string]>>
export type TextKind = keyof typeof textKinds
const kindNames = Object.keys(textKinds) as TextKind[]
const referring = Object.fromEntries(
  kindNames.map((kind) => [
    kind,
    new RegExp(
      `${WORD}(?:the|this|that|these|those|my|our|his|her|their|\\p{L}+['’]s) (?:\\p{L}+ )?${textKinds[kind][1]}${WORD_END}|(?:\\p{Ll}+ ?)?(?:这[封个份条]?|那[封个份条]?)?(?:${textKinds[kind][2]})`,
      'giu',
    ),
  ]),
) as Readonly<Record<TextKind, RegExp>>

export const kindsOfWords = (words: readonly string[]): readonly TextKind[] =>
  kindNames.filter((kind) => words.some((word) => textKinds[kind][0].test(word)))

/** The request with `§` for each reference to a text of these kinds ("the mail", "my to-do list", 这封邮件). */
const withReferences = (request: string, of: readonly TextKind[]): string =>
  of.reduce((text, kind) => text.replaceAll(referring[kind], '§'), request)

/** The user asks for work on files in words that are no verbs of a tool. */
export const WORKS_ON =
  /(?<!\p{L})(?:implement|develop|build|code up|finish|complete|continue with|resolve|solve|refactor|clean up|tidy up|polish|improve|implementiere?|entwickle|baue?|beende|erledige|behebe?|verbessere|räum|termina|desarrolla|arregla|resuelve|mejora|implementa)(?!\p{L})|实现|完成|修一|改一|优化|重构|做一/iu

const TELLS =
  'read|tell|say|summari[sz]e|explain|describe|show|list|find out|look (?:at|up|through)|check|compare|count|translate|what|which|who|whose|when|where|why|how|is|are|was|were|does|did|has|have|any|lies|sag|sage|erkläre?|zeige?|fass|fasse|was|welche[rsnm]?|wer|wann|wo|warum|wieso|wie|ist|sind|gibt|vergleiche?|übersetze?|lee|dime|resume|explica|muestra|qué|que|cuál|quién|cuándo|dónde|cómo|hay|compara|cuenta|traduce'
const TELLING = new RegExp(
  `^[^\\p{L}]*(?:(?:please|can you|could you|would you|now|then|and|bitte|kannst du|por favor|puedes|und|y)\\s+)*(?:${TELLS})(?!\\p{L})`,
  'iu',
)
const CHINESE_TELLING = /[读看讲]|告诉|总结|说明|解释|介绍|什么|哪|谁|多少|为何|怎么|吗/u
/** A question, but not a polite request. */
const QUESTION = /[?？¿]/u
const POLITE =
  /^[^\p{L}]*(?:can|could|would|will|may|might|shall|kannst|könntest|würdest|puedes|podrías|podés)(?!\p{L})|能不能|能否|可以|可否|帮|请/iu
const isQuestion = (text: string): boolean => QUESTION.test(text) && !POLITE.test(text)
const CLAUSE_END = /(?<=[?？])\s*|[.!;,。！；，]+(?=\s|$|[\p{sc=Han}])|\s(?:and|then|und|y)\s/iu

/** Every part of the text asks to be told something, and none to do something. Doubt means no. */
export const onlyAsksToTell = (text: string): boolean => {
  const clauses = text.split(CLAUSE_END).filter((clause) => /\p{L}/u.test(clause))
  const tells = (clause: string) =>
    isQuestion(clause) || (CHINESE_OR_JAPANESE.test(clause) ? CHINESE_TELLING : TELLING).test(clause)
  return clauses.length > 0 && clauses.every(tells)
}

/** Words of a request that leaves to a text what is to be done, beside those of the closed classes. */
const GENERAL =
  'please kindly now today tomorrow first last next rest then ahead go get take start begin let lets need needs needed want have exactly tell tells told say says said written wrote listed described down off through out done do doing does work works care complete finish follow handle process execute perform carry implement apply act tackle run see deal take read follow obey stick proceed laid wish wishes bring end find demands wants task tasks step steps instruction instructions item items point points todo todos to-do to-dos checklist plan ticket job jobs order orders everything whatever one each thing things bitte jetzt heute mach mache macht machen tu tue tun erledige erledigen arbeite bearbeite befolge setze führe kümmere kümmern los leg nimm vor ab dich mir dir ich habe aufgeschrieben zu steht stehen punkte punkt aufgabe aufgaben schritt schritte anweisungen liste alles dort drin por favor ahora hoy haz hacer encárgate ocúpate ponte sigue completa realiza ejecuta cumple todo todos lo hay pone dice escrito tarea tareas paso pasos instrucciones puntos plaît fais faites faire suis suivez effectue occupe occupe-toi toi tâche tâches étapes tout ce qui est écrit dit demande des fai segui esegui tutto quello compiti passi faça faz siga tudo tarefas passos instruções сделай выполни следуй займись сделать то что всё все из в по и написано задачи задачами задач шаги пожалуйста'
const generalWords = new Set(GENERAL.split(' '))
const GENERAL_CHINESE =
  /^[\s,，、：:的里上中把将照着按都全部所有事情项件一个了完成做办请吧来去剩下执行处理落实步骤任务要求内容清单待写说好逐依次就这那些给我你帮に書いてあることをすべて全部やってくださいの通り進めてタスク作業手順指示し実行]+$/u

/** A sentence that names a text, without the name: it asks for nothing that the text does not say. */
function leavesToTheText(rest: string): boolean {
  if (CHINESE_OR_JAPANESE.test(rest))
    return GENERAL_CHINESE.test(rest) && /[做办完来行やし進]|处理|执行|落实/u.test(rest)
  const words = rest.match(/[\p{L}'’-]+/gu)?.map((word) => word.replace(/['’]s$/, '')) ?? []
  return (
    !NEGATION.test(rest) &&
    !/(?<!\p{L})(?:(?:go|look|read|run) over|with me)(?!\p{L})/iu.test(rest) &&
    words.length > 0 &&
    words.every((word) => generalWords.has(word) || noVerbs.has(word)) &&
    !onlyAsksToTell(rest)
  )
}

const REQUEST_END = /(?<=\.)\s|(?<=[?!])(?=\s|\p{sc=Han}|$)|(?<=。)/u
/** A request that goes on with the text of the one before it: "Read it first. Then do what it says." */
const GOES_ON =
  /(?<!\p{L})(?:it|its|them|there|that|those|these|everything|every|each|all|accordingly|es|das|dort|alles|lo|todo|ahí|le|les|tout|y|это|вс[её])(?!\p{L})|\p{sc=Han}/iu
const NAMES_A_FILE = /[\p{L}\p{N}_~-]*\/[\p{L}\p{N}]|[\p{L}\p{N}_-]+\.[a-z]{2,5}(?![\p{L}\p{N}])/iu

/**
 * Whether the user's text tells the model to do what a text says, and names the text by one of its call's values, or
 * refers to it by its kind. `kinds`: those of no other text, so that "the mail" can only be this one.
 */
export function tellsToFollow(
  { searched }: { readonly searched: string },
  named: readonly string[],
  kinds: readonly TextKind[] = [],
): boolean {
  const names = named
    .filter((name) => name.length >= 3 || CHINESE_OR_JAPANESE.test(name))
    .map((name) => normalize(name).replace(/^\.?\//, ''))
    .toSorted((a, b) => b.length - a.length)
  // A name in a longer path is that of another file.
  const name = new RegExp(
    `(?<![a-z\\d_.~/-])(?:\\.?/)?(?:${names.map((one) => one.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&')).join('|')})(?![a-z\\d_/-])`,
    'gi',
  )
  const replaced = (text: string) => (names.length === 0 ? text : text.replaceAll(name, '§'))
  const requests = searched.split(REQUEST_END).map((text) => text.trim())
  return requests.some((request, at) => {
    const isNamed = replaced(request).includes('§')
    if (!isNamed && !withReferences(request, kinds).includes('§')) return false
    const next = requests[at + 1] ?? ''
    const isMore = GOES_ON.test(next) && !NAMES_A_FILE.test(next)
    return [request, ...(isMore ? [`${request} ${next}`] : [])].some((text, more) => {
      const general = withReferences(replaced(text), kinds)
      if (leavesWorkTo(general, requests[at + 1 + more] ?? '')) return true
      // Of what is left, "the plan" may be the user's own.
      if (isOnlyDone(general)) return true
      if (!isNamed || (STATES_WHERE.test(text) && onlyAsksToTell(next))) return false
      return tellsToDoAsWritten(text) || leavesToTheText(withoutNames(replaced(text)))
    })
  })
}

/** "Please do the ticket." The plan and the notes may be the user's own to finish. */
const isOnlyDone = (general: string): boolean =>
  /(?<!\p{L})(?:do|handle|take care of|deal with|tackle|process|resolve|work on|see to|execute|implement) §|处理§|照§|按§|执行§|办§/u.test(
    general,
  ) && leavesToTheText(withoutNames(general))

const STATES_WHERE = /(?<!\p{L})(?:is|are|stands?|sind|stehe?n?|est[aá]n?|son|sont|è|sono)(?!\p{L})/iu
const withoutNames = (text: string): string =>
  text.replaceAll('§', ' ').replaceAll(/(?<![\p{L}\p{N}])\.?\/|[.!。]\s*$/gu, ' ')
