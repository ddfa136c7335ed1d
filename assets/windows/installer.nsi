; Installs heaplens for the current user, without administrator rights. Built by assets/windows/build.sh, which defines
; VERSION, FILES (a folder with heaplens.exe and licences), SIZE_KB, OUTPUT and SIGN.
;
; setup.exe [/S] [/D=FOLDER]      /S: without questions, with all components; /D: another folder, without quotes, last
Unicode true
ManifestDPIAware true
SetCompressor /SOLID lzma
RequestExecutionLevel user

!include MUI2.nsh
!include LogicLib.nsh
!include Sections.nsh
!include WinVer.nsh
!include x64.nsh
!include path.nsh
!include types.nsh

!define PROGRAMS Software\Microsoft\Windows\CurrentVersion\Uninstall
!define UNINSTALL ${PROGRAMS}\heaplens

Name heaplens
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\heaplens"
InstallDirRegKey HKCU "${UNINSTALL}" InstallLocation
BrandingText "heaplens ${VERSION}"
!finalize '${SIGN} "%1"' = 0
!uninstfinalize '${SIGN} "%1"' = 0

VIProductVersion ${VERSION}.0
VIAddVersionKey ProductName heaplens
VIAddVersionKey ProductVersion ${VERSION}
VIAddVersionKey FileVersion ${VERSION}
VIAddVersionKey FileDescription "heaplens setup"
VIAddVersionKey LegalCopyright "The authors of heaplens"

!define MUI_ICON heaplens.ico
!define MUI_UNICON heaplens.ico
!define MUI_FINISHPAGE_RUN $INSTDIR\heaplens.exe
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English

; Windows locks the file of a running program.
!macro RequireNotRunning
    ${If} ${FileExists} "$INSTDIR\heaplens.exe"
        retry:
        ClearErrors
        FileOpen $0 "$INSTDIR\heaplens.exe" a
        ${If} ${Errors}
            MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "heaplens is running. Close its windows, and assistants that use it, and try again." \
                /SD IDCANCEL IDRETRY retry
            Abort "heaplens is running"
        ${EndIf}
        FileClose $0
    ${EndIf}
!macroend

; An installation in another folder would stay in Path, before this one.
!macro UninstallFromElsewhere
    ReadRegStr $R0 HKCU "${UNINSTALL}" InstallLocation
    ${If} $R0 != ""
    ${AndIf} $R0 != $INSTDIR
    ${AndIf} ${FileExists} "$R0\uninstall.exe"
        ; With "_?=" it does not go on as a copy of itself, and is waited for.
        ExecWait '"$R0\uninstall.exe" /S _?=$R0' $0
        ${If} $0 <> 0
            Abort "heaplens in $R0 could not be removed"
        ${EndIf}
        Delete $R0\uninstall.exe
        RMDir $R0
    ${EndIf}
!macroend

Function .onInit
    ; Version 1803 is the first that maps files as heaplens does; on ARM, Windows 11 is the first that runs it.
    StrCpy $0 17134
    ${If} ${IsNativeARM64}
        StrCpy $0 22000
    ${EndIf}
    ${IfNot} ${RunningX64}
    ${OrIfNot} ${AtLeastBuild} $0
        MessageBox MB_OK|MB_ICONSTOP "heaplens needs 64-bit Windows 10 version 1803 or later, or Windows 11 on ARM." /SD IDOK
        SetErrorLevel 2
        Quit
    ${EndIf}
FunctionEnd

Section "heaplens (required)"
    SectionIn RO
    !insertmacro RequireNotRunning
    !insertmacro UninstallFromElsewhere
    SetOutPath $INSTDIR
    File "${FILES}\heaplens.exe"
    File "${FILES}\licence.txt"
    File "${FILES}\third-party.txt"
    WriteUninstaller $INSTDIR\uninstall.exe
    CreateShortcut $SMPROGRAMS\heaplens.lnk $INSTDIR\heaplens.exe

    ; "Apps" of the settings: "Uninstall Registry Key" of the Windows Installer reference.
    WriteRegStr HKCU "${UNINSTALL}" DisplayName heaplens
    WriteRegStr HKCU "${UNINSTALL}" DisplayVersion ${VERSION}
    WriteRegStr HKCU "${UNINSTALL}" DisplayIcon $INSTDIR\heaplens.exe
    WriteRegStr HKCU "${UNINSTALL}" Publisher "The authors of heaplens"
    WriteRegStr HKCU "${UNINSTALL}" InstallLocation $INSTDIR
    WriteRegStr HKCU "${UNINSTALL}" UninstallString '"$INSTDIR\uninstall.exe"'
    WriteRegStr HKCU "${UNINSTALL}" QuietUninstallString '"$INSTDIR\uninstall.exe" /S'
    WriteRegDWORD HKCU "${UNINSTALL}" EstimatedSize ${SIZE_KB}
    WriteRegDWORD HKCU "${UNINSTALL}" NoModify 1
    WriteRegDWORD HKCU "${UNINSTALL}" NoRepair 1
SectionEnd

Section "Open heap dumps and links with heaplens" TYPES
    !insertmacro RegisterTypes
SectionEnd

Section "Command line: add to Path" COMMAND_LINE
    !insertmacro AddToPath
SectionEnd

; What an earlier installation added and this one was not asked for.
Section
    ${IfNot} ${SectionIsSelected} ${TYPES}
        !insertmacro UnregisterTypes
    ${EndIf}
    ${IfNot} ${SectionIsSelected} ${COMMAND_LINE}
        !insertmacro RemoveFromPath
    ${EndIf}
SectionEnd

Section Uninstall
    !insertmacro RequireNotRunning
    !insertmacro RemoveFromPath
    !insertmacro UnregisterTypes
    DeleteRegKey HKCU "${UNINSTALL}"
    DeleteRegKey /ifnosubkeys /ifnovalues HKCU "${PROGRAMS}"
    Delete $SMPROGRAMS\heaplens.lnk
    Delete $INSTDIR\heaplens.exe
    Delete $INSTDIR\licence.txt
    Delete $INSTDIR\third-party.txt
    Delete $INSTDIR\uninstall.exe
    RMDir $INSTDIR
SectionEnd
