// Where the two databases would answer differently to the same query, the words differ instead.
import {
  type BinaryOperationNode,
  type DataTypeNode,
  type OperationNode,
  PostgresQueryCompiler,
  SqliteQueryCompiler,
} from "kysely";

/** `x in ()`, which PostgreSQL refuses, is never true, and `x not in ()` always; null when it is neither. */
function emptyList({ operator, rightOperand }: BinaryOperationNode): string | null {
  if (rightOperand.kind !== "PrimitiveValueListNode" && rightOperand.kind !== "ValueListNode") return null;
  if ((rightOperand as OperationNode & { values: readonly unknown[] }).values.length > 0) return null;
  const word = operator.kind === "OperatorNode" ? (operator as OperationNode & { operator: string }).operator : "";
  return word === "in" ? "1 = 0" : word === "not in" ? "1 = 1" : null;
}

export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const words = emptyList(node);
    if (words) this.append(words);
    else super.visitBinaryOperation(node);
  }
}

export class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const words = emptyList(node);
    if (words) this.append(words);
    else super.visitBinaryOperation(node);
  }

  /** Text sorts and compares by its bytes, as in SQLite, whatever the language of the server. */
  protected override visitDataType(node: DataTypeNode): void {
    super.visitDataType(node);
    const parent = this.parentNode?.kind;
    if (node.dataType === "text" && (parent === "ColumnDefinitionNode" || parent === "AlterColumnNode"))
      this.append(' collate "C"');
  }
}
