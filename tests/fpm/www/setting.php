<?php
// What a setting is in this worker.
declare(strict_types=1);

header('Content-Type: application/json');
echo json_encode(['value' => ini_get($_GET['name'])]);
