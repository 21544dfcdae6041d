/* The tree of a candle program: what the parser makes and the evaluator walks.
 *
 * Everything lives in the arena it was parsed into. Names are interned (see lexer.h). */
#ifndef BACKENDS_LANG_AST_H
#define BACKENDS_LANG_AST_H

#include "backends/lang/lexer.h"
#include "backends/lang/number.h"

/* Deeper trees are refused, so that walking one is bounded. */
#define LANG_MAX_DEPTH 100

typedef struct lang_expr lang_expr;
typedef struct lang_block lang_block;
typedef struct lang_type lang_type;

typedef enum lang_type_kind {
    LANG_TYPE_INFER, /* _ */
    LANG_TYPE_PATH,  /* name<args>: `name` is the last segment */
    LANG_TYPE_REF,   /* &T, &mut T: args[0] */
    LANG_TYPE_ARRAY, /* [T; n]: args[0] */
    LANG_TYPE_SLICE, /* [T]: args[0] */
    LANG_TYPE_TUPLE, /* args; () has none */
} lang_type_kind;

struct lang_type {
    lang_type_kind kind;
    const char *name;
    lang_type **args;
    size_t nargs;
    bool mutable; /* of a REF */
    parity_pos pos;
};

typedef enum lang_pattern_kind {
    LANG_PATTERN_NAME,
    LANG_PATTERN_WILD,
    LANG_PATTERN_TUPLE,
    LANG_PATTERN_REF, /* &p */
} lang_pattern_kind;

typedef struct lang_pattern lang_pattern;
struct lang_pattern {
    lang_pattern_kind kind;
    const char *name;
    bool mutable;
    bool by_ref; /* ref x */
    lang_pattern **items;
    size_t nitems;
    parity_pos pos;
};

typedef struct lang_param {
    lang_pattern *pattern;
    lang_type *type; /* NULL in a closure that leaves it out */
} lang_param;

typedef enum lang_self {
    LANG_SELF_NONE,
    LANG_SELF_REF,
    LANG_SELF_MUT,
    LANG_SELF_VALUE
} lang_self;

typedef struct lang_fn {
    const char *name;
    lang_self self;
    lang_param *params; /* without self */
    size_t nparams;
    lang_type *result; /* NULL: () */
    lang_block *body;
    parity_pos pos;
} lang_fn;

typedef struct lang_struct_type {
    const char *name;
    const char **fields;
    lang_type **types;
    size_t nfields;
    bool clone; /* #[derive(Clone)] */
    bool copy;
    bool tuple; /* struct P(A, B); fields are "0", "1" */
    parity_pos pos;
} lang_struct_type;

typedef struct lang_impl {
    const char *name; /* of the type */
    lang_fn **fns;
    size_t nfns;
    parity_pos pos;
} lang_impl;

typedef enum lang_expr_kind {
    LANG_EXPR_NUMBER,  /* number */
    LANG_EXPR_BOOL,    /* boolean */
    LANG_EXPR_TEXT,    /* text, length */
    LANG_EXPR_PATH,    /* path; types: its last turbofish */
    LANG_EXPR_UNARY,   /* op '-', '!', '*'; a */
    LANG_EXPR_REF,     /* a; mutable */
    LANG_EXPR_BINARY,  /* op; a, b */
    LANG_EXPR_ASSIGN,  /* op of the compound form or NULL; a, b */
    LANG_EXPR_TRY,     /* a? */
    LANG_EXPR_CAST,    /* a as type */
    LANG_EXPR_CALL,    /* a(items) */
    LANG_EXPR_METHOD,  /* a.name::<types>(items) */
    LANG_EXPR_FIELD,   /* a.name */
    LANG_EXPR_INDEX,   /* a[b] */
    LANG_EXPR_RANGE,   /* a..b, either may be NULL; inclusive */
    LANG_EXPR_TUPLE,   /* items */
    LANG_EXPR_ARRAY,   /* items; vec![…] too, with `vec` set */
    LANG_EXPR_REPEAT,  /* [a; b]; vec![a; b] too */
    LANG_EXPR_STRUCT,  /* name { fields: items, ..a } */
    LANG_EXPR_CLOSURE, /* params, a; moves */
    LANG_EXPR_BLOCK,   /* block */
    LANG_EXPR_IF,      /* a, block, b: the else part or NULL */
    LANG_EXPR_FOR,     /* pattern, a, block */
    LANG_EXPR_WHILE,   /* a, block; a is NULL in `loop` */
    LANG_EXPR_BREAK,   /* a or NULL */
    LANG_EXPR_CONTINUE,
    LANG_EXPR_RETURN, /* a or NULL */
    LANG_EXPR_FORMAT, /* name!(items, pieces): println, format, panic, assert … */
} lang_expr_kind;

/* A piece of a format string: literal text, or a value with how to print it. */
typedef struct lang_piece {
    const char *text;
    size_t length;
    lang_expr *value; /* NULL: the text */
    bool debug;
    int precision; /* -1: none */
} lang_piece;

struct lang_expr {
    lang_expr_kind kind;
    unsigned depth;
    parity_pos pos;
    /* METHOD, FIELD, STRUCT, FORMAT; PATH: the whole path; op of the others */
    const char *name;
    lang_expr *a;
    lang_expr *b;
    lang_expr **items;
    size_t nitems;
    lang_block *block;
    lang_pattern *pattern;
    lang_type *type;
    lang_type **types;
    size_t ntypes;
    lang_param *params;
    size_t nparams;
    const char **names; /* STRUCT: of the fields */
    size_t nnames;
    const char *text;
    size_t length;
    lang_piece *pieces;
    size_t npieces;
    lang_number number;
    bool boolean;
    bool mutable;
    bool inclusive;
    bool vec;
    bool moves;
    bool parens; /* stands in parentheses */
    /* of IF all of it, of && and || the right side, of CLOSURE the body */
    lang_region *region;
};

typedef enum lang_stmt_kind {
    LANG_STMT_LET,  /* pattern, type or NULL, expr or NULL */
    LANG_STMT_EXPR, /* expr */
} lang_stmt_kind;

typedef struct lang_stmt {
    lang_stmt_kind kind;
    lang_pattern *pattern;
    lang_type *type;
    lang_expr *expr;
    size_t names; /* of the region of the block, how many stand before this statement */
    bool semi; /* false for the value of the block, and for statements that end in a block
                */
    parity_pos pos;
} lang_stmt;

/* Items are visible in the whole block, as in Rust. */
struct lang_block {
    const lang_block *parent; /* the block around it, for its items; NULL: the program */
    lang_region *region;
    lang_stmt *stmts;
    size_t nstmts;
    lang_expr *tail;   /* the value of the block, or NULL */
    size_t tail_names; /* as `names` of a statement */
    lang_fn **fns;
    size_t nfns;
    lang_struct_type **structs;
    size_t nstructs;
    lang_impl **impls;
    size_t nimpls;
    parity_pos pos;
};

#endif
