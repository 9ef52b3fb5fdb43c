/** A statement for the driver: text with numbered parameters, and the name of the prepared statement. */
export type Prepared = { text: string; name: string | undefined; values: unknown[] }

/** `bytes`: as `text`, but columns of the type text are bytes. */
export type Form = 'objects' | 'text' | 'bytes'

export type Run = (prepared: Prepared, form: Form) => Promise<unknown[]>

/** Unparsed column values. */
export type TextRow = (string | null)[]

/** Quoted table or column names. */
export class Identifiers {
  readonly text: string

  constructor(names: string | readonly string[]) {
    this.text = (typeof names === 'string' ? [names] : names).map(quoted).join(', ')
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * A statement or a fragment, written as a template whose values become parameters. Awaiting it runs it; used as a value of
 * another template, it becomes part of that statement.
 */
export class SqlStatement<Rows = unknown> implements Promise<Rows> {
  readonly [Symbol.toStringTag] = 'Statement'
  readonly strings: TemplateStringsArray
  readonly values: readonly unknown[]
  readonly #run: Run
  #rows: Promise<Rows> | undefined

  constructor(run: Run, strings: TemplateStringsArray, values: readonly unknown[]) {
    this.#run = run
    this.strings = strings
    this.values = values
  }

  /** Sends the statement now, so that later statements on the connection are pipelined behind it. */
  send(): Promise<Rows> {
    this.#rows ??= this.#run(prepare(this), 'objects') as Promise<Rows>
    return this.#rows
  }

  /** Runs it and returns rows as arrays of unparsed text. */
  text(): Promise<TextRow[]> {
    return this.#run(prepare(this), 'text') as Promise<TextRow[]>
  }

  /** Runs it and returns rows as arrays: texts as bytes, so that stored bodies are sent as they are, and other values unparsed. */
  bytes<Row extends (string | Buffer | null | undefined)[]>(): Promise<Row[]> {
    return this.#run(prepare(this), 'bytes') as Promise<Row[]>
  }

  // oxlint-disable-next-line unicorn/no-thenable -- awaiting a statement is how it runs
  then<Success = Rows, Failure = never>(
    onRows?: ((rows: Rows) => Success | PromiseLike<Success>) | null,
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Success | Failure> {
    return this.send().then(onRows, onError)
  }

  catch<Failure = never>(
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Rows | Failure> {
    return this.send().catch(onError)
  }

  finally(onEnd?: (() => void) | null): Promise<Rows> {
    return this.send().finally(onEnd)
  }
}

type Fragment = SqlStatement | Identifiers

function isFragment(value: unknown): value is Fragment {
  return value instanceof SqlStatement || value instanceof Identifiers
}

// A template without fragments has the same text at every call.
const plainTexts = new WeakMap<TemplateStringsArray, Omit<Prepared, 'values'>>()

function prepare({ strings, values }: SqlStatement): Prepared {
  if (values.some(isFragment)) return compose(strings, values)
  const known = plainTexts.get(strings)
  if (known) return { text: known.text, name: known.name, values: defined(values) }
  const composed = compose(strings, values)
  plainTexts.set(strings, composed)
  return composed
}

function compose(strings: TemplateStringsArray, values: readonly unknown[]): Prepared {
  const parameters: unknown[] = []
  const append = (texts: TemplateStringsArray, given: readonly unknown[]): string =>
    texts.reduce((text, next, index) => text + placeOf(given[index - 1]) + next)
  const placeOf = (value: unknown): string => {
    if (value instanceof Identifiers) return value.text
    if (value instanceof SqlStatement) return append(value.strings, value.values)
    parameters.push(value)
    return `$${parameters.length}`
  }
  const text = append(strings, values)
  return { text, name: nameOf(text), values: defined(parameters) }
}

// undefined is a bug in the caller, not null.
function defined(values: readonly unknown[]): unknown[] {
  if (values.includes(undefined)) throw new TypeError('a parameter of a statement is undefined')
  return values as unknown[]
}

// Each connection plans a named statement once. Searches combine fragments in some hundred ways; the limit bounds the memory
// of a connection.
const names = new Map<string, string>()
const maxNames = 2000

export function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= maxNames) return known
  const name = `s${names.size + 1}`
  names.set(text, name)
  return name
}
