import { sentencesOf } from '@/lib/base/catalogue'

/** The page of the lab: what is chosen, how far it is, what came of it. */
export const labPageSentence = sentencesOf({
  'lab-page.title': 'Call format lab',
  'lab-page.lab': 'Lab',
  'lab-page.lab-of': '{model}, {at, moment}',
  'lab-page.about':
    'Which form of calls does this model obey? The lab asks it small tasks, in several call formats, and reads the replies as a chat would. Nothing runs: every result is scripted.',

  'lab-page.measure': 'Measure a model',
  'lab-page.model': 'Model',
  /** Over the reasons why models are missing in the list. */
  'lab-page.models-missing': 'Missing',
  'lab-page.trials-each': 'Trials of each probe',
  'lab-page.parallel': 'At the same time',
  'lab-page.temperature': 'Temperature',
  'lab-page.temperature-own': 'its own',
  'lab-page.formats': 'Call formats',
  'lab-page.probes': 'Probes',
  'lab-page.kind-count': '{kind} ({count, number})',
  'lab-page.only-with': 'Only probes with',
  'lab-page.only-hint': 'a word of the question',
  'lab-page.prices': 'What a million tokens cost you',
  'lab-page.price-sent': 'Sent',
  'lab-page.price-written': 'Written',
  'lab-page.start': 'Start',

  'lab-page.own-probes': 'Probes of your own',
  'lab-page.file-reading': 'Reading …',
  'lab-page.file-import': 'Import a file',
  'lab-page.file-label': 'Files of probes',
  'lab-page.file-about': 'Questions with their answers, in the format of the Berkeley leaderboard (BFCL)',
  'lab-page.file-forget': 'back to the probes of Nod',
  'lab-page.file-more': 'and {count, number} more',

  'lab-page.progress': 'Progress',
  'lab-page.stop': 'Stop',
  'lab-page.resume': 'Resume',
  'lab-page.delete': 'Delete this lab',
  'lab-page.with-verdict': 'Trials with a verdict',
  'lab-page.several': '{names, list}',
  'lab-page.said': '{all, sentences}',

  'lab-page.report': 'Report',
  'lab-page.table': 'Table of call formats',
  'lab-page.format': 'Call format',
  'lab-page.right': 'Right',
  'lab-page.all-right': 'All {trials} right',
  'lab-page.trials': 'Trials',
  'lab-page.repaired': 'Repaired calls',
  'lab-page.tokens': 'Tokens a call',
  'lab-page.first-call': 'First call after',
  'lab-page.share': '{rate, share}',
  'lab-page.interval': '{low, share} to {high, share}',
  'lab-page.token-count': '{isEstimated, select, true {about {tokens, number}} other {{tokens, number}}}',
  'lab-page.by-kind': 'By kind of probe',
  'lab-page.kinds': 'Table of kinds',
  'lab-page.kind': 'Kind',
  'lab-page.right-of': '{right, number} of {trials, number}',
  'lab-page.chart': ({ arms }: { readonly arms: readonly string[] }) =>
    `Accuracy with 95 % intervals. ${arms.join('. ')}`,
  'lab-page.chart-arm': '{arm}: {share}',

  'lab-page.export': 'Export',
  'lab-page.with-texts': 'with what the model wrote',
  'lab-page.measured-by': 'measured by',
  'lab-page.nobody': 'nobody named',
  'lab-page.others': 'Results of others',
  'lab-page.import': 'Import a result',
  'lab-page.result-file': 'File of a result',
  'lab-page.no-results': 'A lab’s numbers are a small file. Import one that somebody gave you to see it beside yours.',
  'lab-page.result':
    'measured by {by, select, empty {somebody who gave no name} other {{by}}}, {at, day} · {provider}{quantisation, select, empty {} other { · {quantisation}}} · {probes, number} probes {source, select, own {of Nod} other {of their own}}{temperature, select, null {} other { · temperature {temperature}}}',
  /** What the lists of the chat say after an imported result. */
  'lab-page.counts':
    'It shows {strategy} to be the best for this model. Where you measured nothing better yourself, the lists of models and call formats say so, and by whom.',
  'lab-page.counts-none': 'It shows no call format to be better than the others, so no list says anything of it.',
  'lab-page.counts-prompts':
    'It was measured with other prompts than those of this page, so no list says anything of it. A result of the same version of Nod would count.',
  'lab-page.remove': 'Remove',

  'lab-page.verdict': 'Verdict',
  'lab-page.every-verdict': 'every verdict',
  'lab-page.format-of-trials': 'Call format of the trials',
  'lab-page.every-format': 'every call format',
  'lab-page.none-yet': 'There is none yet.',
  'lab-page.more': 'show more of {count, number}',

  'lab-page.trial': 'Trial',
  'lab-page.back': 'Back to the report',
  /** Between a verdict and why it is that. */
  'lab-page.under': 'under {arm}:',
  'lab-page.round': 'Round',
  'lab-page.round-number': 'Round {number}',
  'lab-page.sent': 'What the model was sent',
  'lab-page.thought': 'What it thought',
})
