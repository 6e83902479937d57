// A part of a client's settings that is Parley's: where it stands and what it must be. All else in the file is left
// as it is, comments and order too.

/** A value at a place in a JSON file (comments allowed). */
export interface ValuePiece {
  kind: "value";
  file: string;
  at: readonly string[];
  value: unknown;
}

/** One entry of a list in a JSON file, known by what only Parley's has. */
export interface EntryPiece {
  kind: "entry";
  file: string;
  at: readonly string[];
  value: unknown;
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
}

export type Piece = ValuePiece | EntryPiece | TablesPiece | FilePiece;
