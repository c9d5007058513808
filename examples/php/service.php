<?php

// The endpoint in front of PostgreSQL: TOKEN=secret PHP_CLI_SERVER_WORKERS=8 php -S 127.0.0.1:4035 service.php

const TIME_LIMIT = '30s';

/** A statement or a body that is answered with an error. */
class Refused extends Exception {}

/** A statement that exceeded the time limit. */
class TooLong extends Exception {}

/** The error of a statement, in the words of the contract. */
function refusal(string $sqlState, string $text): Exception
{
    return match (true) {
        $sqlState === '57014' => new TooLong(),
        // a view that does not exist: PostgreSQL's own words are those of the contract
        $sqlState === '42P01' => new Refused($text),
        $sqlState === '42601' => new Refused("JSON decode error: $text"),
        default => new Refused('Error executing statement'),
    };
}

/** PostgreSQL writes a timestamp with a space and the hours of its zone: 2026-01-01 00:00:00+00. */
function timestamp(string $text): string
{
    return preg_replace('/([+-]\d\d)$/', '$1:00', str_replace(' ', 'T', $text));
}

/** How each type becomes a value of JSON; all others stay texts. */
function valueOf(?string $text, string $type): mixed
{
    return match (true) {
        $text === null => null,
        $type === 'bool' => $text === 't',
        in_array($type, ['int2', 'int4', 'int8'], true) => (int) $text,
        in_array($type, ['float4', 'float8', 'numeric'], true) => (float) $text,
        // objects stay objects, also empty ones
        in_array($type, ['json', 'jsonb'], true) => json_decode($text, false, 512, JSON_THROW_ON_ERROR),
        $type === 'timestamptz' || $type === 'timestamp' => timestamp($text),
        default => $text,
    };
}

/** The rows of a query. As a cursor takes queries alone, everything else is a syntax error. */
function select(string $statement): array
{
    $database = pg_connect(getenv('DATABASE'), PGSQL_CONNECT_FORCE_NEW);
    pg_query($database, "BEGIN READ ONLY; SET LOCAL search_path = bioprocess; SET LOCAL timezone = 'UTC';
        SET LOCAL statement_timeout = '" . TIME_LIMIT . "'");
    $statement = preg_replace('/;\s*$/', '', $statement);
    foreach (["DECLARE result NO SCROLL CURSOR FOR $statement", 'FETCH ALL FROM result'] as $query) {
        // parameters allow one statement in the text only
        pg_send_query_params($database, $query, []);
        $result = pg_get_result($database);
        $state = pg_result_error_field($result, PGSQL_DIAG_SQLSTATE);
        if ($state) {
            throw refusal($state, pg_result_error_field($result, PGSQL_DIAG_MESSAGE_PRIMARY));
        }
    }
    $types = [];
    for ($field = 0; $field < pg_num_fields($result); $field++) {
        $types[pg_field_name($result, $field)] = pg_field_type($result, $field);
    }
    $rows = [];
    while ($row = pg_fetch_assoc($result)) {
        foreach ($row as $column => $text) {
            $row[$column] = valueOf($text, $types[$column]);
        }
        $rows[] = $row;
    }
    pg_close($database);
    return $rows;
}

/** The statement of a request. */
function statement(): string
{
    $body = json_decode(file_get_contents('php://input'));
    if (!is_object($body) || !is_string($body->statement ?? null)) {
        throw new Refused('JSON decode error: the body is no object with a statement');
    }
    return $body->statement;
}

function answer(int $httpStatus, string $state, string $message, array $rows = []): void
{
    http_response_code($httpStatus);
    header('Content-Type: application/json');
    $body = ['data' => $rows, 'status' => ['state' => $state, 'message' => $message]];
    echo json_encode($body, JSON_PRESERVE_ZERO_FRACTION | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
}

if ($_SERVER['REQUEST_METHOD'] !== 'POST' || parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) !== '/external/v1/statements/') {
    answer(404, 'error', 'Not found');
} elseif (!hash_equals('Bearer ' . getenv('TOKEN'), $_SERVER['HTTP_AUTHORIZATION'] ?? '')) {
    answer(401, 'error', 'The access token is missing or not valid');
} else {
    try {
        $rows = select(statement());
        $none = 'The statement ran successfully but returned no results';
        answer(200, 'success', $rows ? 'Statement executed' : $none, $rows);
    } catch (TooLong) {
        answer(504, 'error', 'The statement took too long: read less data or split it');
    } catch (Refused $refused) {
        answer(200, 'error', $refused->getMessage());
    }
}
