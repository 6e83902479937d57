// A part of a client's settings that is Parley's: where it stands and what it must be. All else in the file is left
// as it is, comments and order too.

/** A value at a place in a JSON file (comments allowed). */
export interface ValuePiece {
  kind: "value";
  file: string;
  at: readonly string[];
  /** Undefined: nothing may stand there. */
  value: unknown;
  /** Whether what stands there is Parley's, and may be replaced. */
  ours: (value: unknown) => boolean;
}

/** One entry of a list in a JSON file. */
export interface EntryPiece {
  kind: "entry";
  file: string;
  at: readonly string[];
  value: unknown;
  /** Whether an entry, or one of the hooks inside it, is Parley's. */
  ours: (entry: unknown) => boolean;
}

/** Tables in a TOML file, between two comments of ours. */
export interface TablesPiece {
  kind: "tables";
  file: string;
  text: string;
  /** Whether an entry of a list of hooks is Parley's. */
  ours: (entry: unknown) => boolean;
}

/** A whole file of ours. */
export interface FilePiece {
  kind: "file";
  file: string;
  text: string;
  /** Whether the text of a file that stands there is Parley's. */
  ours: (text: string) => boolean;
}

export type Piece = ValuePiece | EntryPiece | TablesPiece | FilePiece;
export type JsonPiece = ValuePiece | EntryPiece;
