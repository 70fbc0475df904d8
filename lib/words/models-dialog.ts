import { quotingSentencesOf } from '@/lib/base/catalogue'

/** Where models are added and looked at: the dialog and its forms. */
export const modelsDialogSentence = quotingSentencesOf({
  'models-dialog.title': 'Models',
  /** On the page of a new chat: each way opens the dialog at its form. */
  'models-dialog.connect': 'Connect a model',
  'models-dialog.way.ollama': 'Ollama',
  'models-dialog.way.lm-studio': 'LM Studio',
  'models-dialog.way.openai-compatible': 'API key',
  'models-dialog.way.paste': 'Copy and paste',
  'models-dialog.way-about.ollama': 'on this computer',
  'models-dialog.way-about.lm-studio': 'on this computer',
  'models-dialog.way-about.openai-compatible': 'from a provider',
  'models-dialog.way-about.paste': 'with any chat site',
  'models-dialog.close': 'Close models',
  'models-dialog.own': 'Models of this browser',
  'models-dialog.own-head': 'In this browser',
  'models-dialog.add-part': 'Add a model',
  'models-dialog.add-head': 'Add a model that this browser reaches',
  'models-dialog.server': 'Models of the server',
  'models-dialog.server-head': 'Of the server',
  'models-dialog.add': 'Add',
  'models-dialog.add-named': 'Add {name}',
  'models-dialog.remove': 'Remove',
  'models-dialog.remove-named': 'Remove {name}',
  /** Who answers, by the kind of a model of this browser. */
  'models-dialog.by':
    '{kind, select, openai_compatible {your server} ollama {Ollama} lm_studio {LM Studio} paste {a chat elsewhere} other {this browser}}',

  'models-dialog.chrome': 'This browser’s own model',
  /** What it is called in lists. */
  'models-dialog.chrome-label': 'The browser’s own model',
  'models-dialog.chrome-add': 'Download and add',

  'models-dialog.kind': 'Kind of server',
  'models-dialog.kind-other': 'Other (OpenAI-compatible)',
  'models-dialog.address': 'Address',
  'models-dialog.key': 'Key',
  'models-dialog.key-if': '(if it wants one)',
  'models-dialog.model': 'Model',
  'models-dialog.model-of': 'Model of this server',
  'models-dialog.window': 'Window (tokens)',
  'models-dialog.window-unknown': 'not known',

  'models-dialog.llama': 'In this browser: llama.cpp',
  'models-dialog.llama-fetch': 'Fetch and add',
  'models-dialog.llama-address': 'Address of a GGUF file',
  'models-dialog.llama-look': 'Look',
  'models-dialog.llama-looking': 'Looking…',
  'models-dialog.llama-file': 'Or a file of your disk',
  'models-dialog.llama-keep': 'Keep a copy in this browser',
  'models-dialog.llama-bytes': 'Bytes',
  'models-dialog.llama-stop': 'Stop',
  'models-dialog.llama-go-on': 'Go on',
  'models-dialog.llama-go-on-named': 'Go on fetching {name}',
})
